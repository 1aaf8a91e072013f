"""The filter under a local Spark: spark.py CORES PARTITIONS INPUT OUTPUT COMMAND. The command's words are as in a shell."""

import sys
from pyspark import SparkConf, SparkContext

cores, partitions, source, target, command = sys.argv[1:]
conf = SparkConf().setMaster(f"local[{cores}]").setAppName("sudoku-filter").set("spark.ui.enabled", "false")
with SparkContext(conf=conf) as context:
    context.setLogLevel("ERROR")
    lines = context.textFile(source, int(partitions))
    # An empty partition, as filters and joins produce.
    lines = lines.union(context.parallelize([], 1))
    lines.pipe(command, checkCode=True).saveAsTextFile(target)
