//! An HTML document for print, with the images of `svg.rs`: a figure for each puzzle, numbered, and
//! the solutions after all puzzles.
//!
//! Lines are written as they are answered, so each solution follows its puzzle in the document. A
//! script moves the solutions to the end.

use super::svg::escape;

/// The height in millimetres that figures share: that of a page of A4 or Letter without margins.
const HEIGHT: usize = 240;

/// Nothing follows the figures: HTML needs no end tags there.
pub fn header(per_page: usize) -> String {
    let columns = ((per_page as f64 * 0.75).sqrt().round() as usize).max(1);
    let height = HEIGHT / per_page.div_ceil(columns).max(1);
    let (solutions, half) = (4 * per_page, height / 2);
    format!(
        "<!DOCTYPE html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sudoku</title><style>
@page{{margin:15mm}}
body{{margin:0;font:11pt sans-serif;counter-reset:puzzle solution}}
main{{display:grid;grid-template-columns:repeat({columns},1fr);--height:{height}mm}}
.solutions{{grid-template-columns:repeat({},1fr);--height:{half}mm;break-before:page}}
figure{{margin:0;text-align:center;height:var(--height);break-inside:avoid;counter-increment:puzzle}}
figure svg{{max-width:90%;height:calc(var(--height) - 9mm)}}
figcaption::before{{content:counter(puzzle) \" \"}}
figure.solution{{counter-increment:solution}}
.solution figcaption::before{{content:counter(solution) \" \"}}
.puzzles figure:nth-of-type({per_page}n),.solutions figure:nth-of-type({solutions}n){{break-after:page}}
</style><script>
addEventListener(\"DOMContentLoaded\",()=>{{
const solutions=document.querySelectorAll(\".solution\"),end=document.createElement(\"main\")
end.className=\"solutions\"
end.append(...solutions)
if(solutions.length)document.body.append(end)}})
</script></head><body><main class=\"puzzles\">
",
        2 * columns
    )
}

/// The caption also has the number of the figure.
pub fn write_figure(images: &[u8], caption: &str, is_solution: bool, text: &mut Vec<u8>) {
    let class = if is_solution { " class=\"solution\"" } else { "" };
    text.extend_from_slice(format!("<figure{class}>").as_bytes());
    text.extend_from_slice(images);
    let caption = escape(caption);
    text.extend_from_slice(format!("<figcaption>{caption}</figcaption></figure>").as_bytes());
}
