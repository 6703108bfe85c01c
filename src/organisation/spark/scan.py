"""Runs the steps of a scan on Spark, from the windows in Parquet files to the matches.

    spark-submit scanOnSpark.py PLAN

`kindred org scan --engine spark` writes PLAN (src/organisation/repositories/sparkPlan.ts), submits this program, and
groups the matches. The SQL of PLAN finds candidate pairs, which Spark writes to Parquet files in a folder of the index,
one for each task. Executors run `kindred org align` on these files, which writes a file of matches for each. Texts,
windows, pairs, and matches do not pass through this process.

Lines of standard output that begin with "kindred" are for the program that submitted it.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
import uuid
from functools import partial, reduce
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

# A worker starts within half a second, and aligns this many pairs in some six seconds.
PAIRS_PER_TASK = 400_000
WINDOWS_PER_TASK = 500_000
# Each executor has a copy of the tables of files and documents, with four rows of some 100 bytes for each file. Without
# them, all windows are shuffled, 1.2 GB of 51 million lines, and all candidate pairs with their paths.
MAX_COPIED_FILES = 200_000


class Problem(Exception):
    """An error with a message for the user."""

    def __init__(self, message: str) -> None:
        super().__init__(f"kindred error: {message}")


def say(text: str) -> None:
    print(f"kindred {text}", flush=True)


def align(command: list[str], folder: str, name: str) -> None:
    """Aligns the pairs of a file, unless an earlier task has done so. Runs in executors."""
    matches = os.path.join(folder, "matches", name)
    if os.path.exists(matches):
        return
    command = [*command, os.path.join(folder, "pairs", name), matches]
    worker = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
    if worker.returncode != 0:
        raise Problem(worker.stderr.strip().removeprefix("kindred: ") or f"{command[0]} was killed")


def probe(plan: dict[str, Any], _: int) -> str | None:
    """Returns the reason why an executor cannot take part, or None."""
    host = os.uname().nodename
    if not os.path.exists(os.path.join(plan["folder"], "kindred-index.json")):
        return f"the executor on {host} cannot read the index {plan['folder']}: it must be on a file system of all machines."
    if not os.access(os.path.dirname(plan["saved"]), os.W_OK):
        return f"the executor on {host} must not write to {os.path.dirname(plan['saved'])}: change its permissions."
    worker = plan["worker"]
    try:
        version = subprocess.run([*worker, "--version"], capture_output=True, encoding="utf-8").stdout.strip()
    except OSError as error:
        return f"the executor on {host} cannot run {error.filename}: install Kindred there, or name it with --worker."
    if version != plan["version"]:
        return f"{' '.join(worker)} on {host} is not Kindred {plan['version']}: install it there, or name it with --worker."
    return None


class Scan:
    """The steps of a scan, in order. Each returns a table of the next one."""

    def __init__(self, spark: SparkSession, plan: dict[str, Any]) -> None:
        self.spark = spark
        self.plan = plan
        self.done = 0
        self.copies_files = False
        self.begin("check of the executors")
        context = spark.sparkContext
        # Spark's own number of partitions, 200, is too large for small indexes and too small for large ones. With adaptive
        # execution, Spark 4.0 shuffles a stored table twice if it is joined with itself.
        tasks = max(context.defaultParallelism, math.ceil(plan["windows"] / WINDOWS_PER_TASK))
        settings = {
            "spark.sql.shuffle.partitions": tasks,
            # A file of windows has some 10 million rows in 128 MB, which Spark would read in one task.
            "spark.sql.files.minPartitionNum": tasks,
            "spark.sql.adaptive.enabled": False,
        }
        for key, value in settings.items():
            if not context.getConf().contains(key):
                spark.conf.set(key, value)

    def check(self) -> None:
        context = self.spark.sparkContext
        tasks = 2 * context.defaultParallelism
        for problem in context.parallelize(range(tasks), tasks).map(partial(probe, self.plan)).collect():
            if problem is not None:
                raise Problem(problem)
        self.step()

    def step(self) -> None:
        self.done += 1
        say(f"progress {self.done}")

    def begin(self, name: str) -> None:
        """Names the following jobs in the user interface and the event log of Spark."""
        self.spark.sparkContext.setJobDescription(name)

    def table(self, name: str, query: str | DataFrame) -> DataFrame:
        """Names the result of a query, and keeps it."""
        result = self.spark.sql(query) if isinstance(query, str) else query
        result.persist(StorageLevel.MEMORY_AND_DISK).createOrReplaceTempView(name)
        return result

    def read(self, files: list[str]) -> DataFrame:
        """Reads Parquet files of the index. The name of its folder is no pattern."""
        folder = pattern_of(file_url(self.plan["folder"]))
        return self.spark.read.parquet(*[f"{folder}/{name}" for name in files])

    def view_of_partitions(self, name: str) -> None:
        """Names the rows of a file of all partitions."""
        files = [f"contents/{id}/{name}.parquet" for id in self.plan["partitions"]]
        stored = self.read(files).withColumn("partition", part_of_path(-2, "/"))
        stored.createOrReplaceTempView(name)

    def read_documents(self) -> None:
        """Numbers the files in the order of their paths in JavaScript, which compares UTF-16."""
        self.begin("numbers of files")
        prefixes = self.spark.createDataFrame(self.plan["repositories"], "prefix string, id string")
        files = [f"documents/{id}.parquet" for _, id in self.plan["repositories"]]
        stored = self.read(files).where("content IS NOT NULL")
        named = stored.withColumn("id", part_of_path(-1, ".")).join(f.broadcast(prefixes), "id")
        paths = named.select(f.concat("prefix", "path").alias("path"), "partition", "content")
        order = Window.orderBy(f.encode("path", "UTF-16BE"))
        files = self.table("file", paths.withColumn("file", f.row_number().over(order) - f.lit(1).cast("bigint")))
        # Numbers of documents: four for each file, of which its parts use three.
        documents = self.spark.sql(
            """SELECT partition, content, part, 4 * file + part AS number
            FROM file CROSS JOIN (VALUES (0), (1), (2)) AS parts(part)"""
        )
        self.copies_files = files.count() <= MAX_COPIED_FILES
        self.copied(documents).createOrReplaceTempView("document")
        self.copied(files).createOrReplaceTempView("file")

    def copied(self, table: DataFrame) -> DataFrame:
        return f.broadcast(table) if self.copies_files else table

    def find_seeds(self) -> tuple[DataFrame, int]:
        """Returns pairs of windows, and the number of crowded fingerprints."""
        queries = self.plan["queries"]
        self.begin("windows and their fingerprints")
        self.view_of_partitions("windows")
        self.table("window_of_document", queries["windows"])
        self.table("fingerprint", queries["fingerprints"])
        counts = {row.view: row.fingerprints for row in self.spark.sql(queries["count"]).collect()}
        self.step()
        found: list[DataFrame] = []
        crowded = 0
        for view in self.plan["views"]:
            count = counts.get(view["view"], 0)
            if count == 0:
                continue
            self.begin(f"near fingerprints of view {view['view']}")
            level = next(level for level in view["levels"] if count <= level["fingerprints"])
            near = self.table("near", "\nUNION ALL ".join(level["near"]))
            crowded += self.spark.sql(level["crowded"]).first().crowded
            found.append(self.spark.sql(level["seeds"]).checkpoint())
            near.unpersist()
            self.step()
        self.begin("equal fingerprints and phrases")
        self.table("repeated", queries["repeated"])
        found.append(self.spark.sql(queries["equal"]))
        if self.plan["searchesPhrases"]:
            self.view_of_partitions("phrases")
            self.table("phrase_of_document", queries["phrases"])
            found.append(self.spark.sql(queries["phraseSeeds"]))
        return reduce(DataFrame.unionAll, found), crowded

    def write_pairs(self) -> None:
        """Writes candidate pairs, those of two documents to one file, unless an interrupted scan has done so."""
        saved = self.plan["saved"]
        if os.path.exists(os.path.join(saved, "pairs")):
            say("continued")
            return
        # Spark computes stored tables again that are part of a union, so seeds are written to files.
        tables = os.path.join(saved, "tables")
        shutil.rmtree(tables, ignore_errors=True)
        self.spark.sparkContext.setCheckpointDir(file_url(tables))
        self.read_documents()
        found, crowded = self.find_seeds()
        seeds = found.checkpoint()
        tasks = max(self.spark.sparkContext.defaultParallelism, math.ceil(seeds.count() / PAIRS_PER_TASK))
        self.step()
        self.begin("candidate pairs with paths")
        places = seeds.withColumns({"first": f.shiftright("a", 32), "second": f.shiftright("b", 32)})
        divided = places.repartitionByRange(tasks, "first", "second") if self.copies_files else places
        divided.createOrReplaceTempView("seed")
        named = self.spark.sql(
            """SELECT first, second, x.path AS pathA, first % 4 AS partA, y.path AS pathB, second % 4 AS partB,
              a & 4294967295 AS tokenA, b & 4294967295 AS tokenB, bits, CAST(NULL AS BIGINT) AS crowded
            FROM seed JOIN file x ON x.file = shiftright(a, 34) JOIN file y ON y.file = shiftright(b, 34)"""
        )
        # Joins with a copied table keep the division. Other joins do not.
        pairs = named if self.copies_files else named.repartitionByRange(tasks, "first", "second")
        pairs = pairs.drop("first", "second")
        if crowded > 0:
            row = self.spark.createDataFrame([(crowded,)], "crowded bigint")
            pairs = pairs.unionByName(row, allowMissingColumns=True)
        draft = os.path.join(saved, f"pairs.{uuid.uuid4()}")
        try:
            rows = pairs.withColumn("state", f.lit(self.plan["state"]))
            rows.write.parquet(file_url(draft))
            os.rename(draft, os.path.join(saved, "pairs"))
            shutil.rmtree(tables, ignore_errors=True)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def align(self) -> None:
        self.begin("aligned pairs")
        saved = self.plan["saved"]
        os.makedirs(os.path.join(saved, "matches"), exist_ok=True)
        names = sorted(name for name in os.listdir(os.path.join(saved, "pairs")) if name.endswith(".parquet"))
        command = [*self.plan["worker"], "org", "align", "--workers", "1", "--no-progress"]
        command += ["--index", self.plan["folder"]]
        tasks = self.spark.sparkContext.parallelize(names, max(1, len(names)))
        tasks.foreach(partial(align, command, saved))
        self.step()

    def run(self) -> None:
        self.check()
        self.write_pairs()
        self.align()


def file_url(path: str) -> str:
    return f"file://{path}"


def pattern_of(path: str) -> str:
    """Returns a pattern that only a path matches."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", path)


def part_of_path(place: int, end: str) -> Any:
    """Returns a part of the path of a row's file, up to a character. Regular expressions take longer than the step."""
    return f.substring_index(f.substring_index(f.col("_metadata.file_path"), "/", place), end, 1)


def main(plan_file: str) -> int:
    with open(plan_file, encoding="utf-8") as file:
        plan = json.load(file)
    spark = None
    try:
        spark = SparkSession.builder.appName("kindred org scan").getOrCreate()
        Scan(spark, plan).run()
        return 0
    except Exception as error:
        known = re.search(r"kindred error: ([^\n]+)", str(error))
        # Errors of Java begin with a line about the call, and name the exception in the next one.
        cause = re.search(r"^(?!An error occurred while calling)(?:: )?(\S.*)$", str(error), re.MULTILINE)
        say(f"error: {known[1]}" if known else f"failure: {cause[1] if cause else error}")
        return 1
    finally:
        if spark is not None:
            spark.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
