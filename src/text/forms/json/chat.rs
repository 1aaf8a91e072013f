//! Prompts: a puzzle that is within a text or within the messages of a chat (`--lenient`).

use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::text::prose::is_prose;

/// Keys that hold a prompt if no key has a name of a puzzle.
pub const PROMPTS: [&str; 4] = ["prompt", "messages", "conversations", "input"];

/// A message of a chat.
struct Message {
    /// Who says it: `user`, `assistant` or `system`, or another name of these.
    role: String,
    content: String,
}

/// Returns the texts of a prompt, in the order in which they are searched for the puzzle: the only
/// one, or the messages of the user, the last first. Examples of a chat are in messages before it.
/// Returns `None` for other values, such as a grid.
pub fn texts(value: &RawValue) -> Option<Vec<String>> {
    if value.get().starts_with('"') {
        let text: String = serde_json::from_str(value.get()).ok()?;
        return is_prose(text.as_bytes()).then(|| vec![text]);
    }
    let messages = messages(value)?.into_iter().rev();
    let of_user = messages.filter(|it| !is_reply(it) && it.role != "system");
    Some(of_user.map(|message| message.content).collect())
}

/// Returns the last message of a chat if it is an answer.
pub fn reply(value: &RawValue) -> Option<String> {
    let last = messages(value)?.pop()?;
    is_reply(&last).then_some(last.content)
}

fn messages(value: &RawValue) -> Option<Vec<Message>> {
    let items = value.get().starts_with('[').then(|| serde_json::from_str(value.get()));
    let items: Vec<Json> = items?.ok()?;
    let messages: Option<Vec<Message>> = items.iter().map(message).collect();
    messages.filter(|messages| !messages.is_empty())
}

/// The names are those of OpenAI or of ShareGPT.
fn message(item: &Json) -> Option<Message> {
    let text = |names: [&str; 2]| names.iter().find_map(|name| item.get(name)?.as_str());
    let (role, content) = (text(["role", "from"])?, text(["content", "value"])?);
    Some(Message { role: role.into(), content: content.into() })
}

fn is_reply(message: &Message) -> bool {
    matches!(&*message.role, "assistant" | "gpt" | "model")
}
