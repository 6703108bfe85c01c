"""Runs the steps of a scan on Spark, from the windows in Parquet files to the matches.

    spark-submit scanOnSpark.py PLAN MATCHES

`kindred org scan --engine spark` writes PLAN (src/organisation/repositories/sparkPlan.ts), submits this program, and
groups the lines of MATCHES. The SQL of PLAN finds candidate pairs. Executors align them: each passes its pairs to a
process of `kindred org align` and reads the matches. Texts and windows do not pass through this process.

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
import threading
import uuid
from collections.abc import Iterable, Iterator
from functools import partial, reduce
from itertools import chain
from typing import Any

from pyspark import RDD, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

# A worker starts within half a second, and aligns this many pairs in a few seconds.
PAIRS_PER_TASK = 100_000
WINDOWS_PER_TASK = 500_000
# File in the folder of saved pairs. Spark ignores it.
SUMMARY = "_kindred.json"


class Problem(Exception):
    """An error with a message for the user."""

    def __init__(self, message: str) -> None:
        super().__init__(f"kindred error: {message}")


def say(text: str) -> None:
    print(f"kindred {text}", flush=True)


def run_worker(command: list[str], rows: Iterable[Any]) -> Iterator[str]:
    """Passes lines to a process of Kindred and yields the lines of its output. Runs in executors."""
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return
    worker = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    errors: list[str] = []

    def write() -> None:
        try:
            for row in chain([first], rows):
                worker.stdin.write(row[0] + "\n")
            worker.stdin.close()
        except BrokenPipeError:
            pass  # The worker has ended with an error.

    threads = [threading.Thread(target=write), threading.Thread(target=lambda: errors.extend(worker.stderr))]
    for thread in threads:
        thread.start()
    try:
        for line in worker.stdout:
            yield line.rstrip("\n")
        for thread in threads:
            thread.join()
        if worker.wait() != 0:
            raise Problem("".join(errors).strip().removeprefix("kindred: ") or f"{command[0]} was killed")
    finally:
        worker.kill()


def probe(plan: dict[str, Any], _: int) -> str | None:
    """Returns the reason why an executor cannot take part, or None."""
    host = os.uname().nodename
    if not os.path.exists(os.path.join(plan["folder"], "kindred-index.json")):
        return f"the executor on {host} cannot read the index {plan['folder']}: it must be on a file system of all machines."
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
        context = spark.sparkContext
        # Spark's own number, 200, is too large for small indexes and too small for large ones.
        if not context.getConf().contains("spark.sql.shuffle.partitions"):
            tasks = max(context.defaultParallelism, math.ceil(plan["windows"] / WINDOWS_PER_TASK))
            spark.conf.set("spark.sql.shuffle.partitions", tasks)

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

    def table(self, name: str, query: str | DataFrame) -> DataFrame:
        """Names the result of a query, and keeps it."""
        result = self.spark.sql(query) if isinstance(query, str) else query
        result.persist(StorageLevel.MEMORY_AND_DISK).createOrReplaceTempView(name)
        return result

    def read(self, files: list[str]) -> DataFrame:
        """Reads Parquet files of the index. The name of its folder is no pattern."""
        folder = pattern_of(file_url(self.plan["folder"]))
        return self.spark.read.parquet(*[f"{folder}/{name}" for name in files])

    def read_documents(self) -> None:
        """Numbers the files in the order of their paths in JavaScript, which compares UTF-16."""
        prefixes = self.spark.createDataFrame(self.plan["repositories"], "prefix string, id string")
        files = [f"documents/{id}.parquet" for _, id in self.plan["repositories"]]
        stored = self.read(files).where("content IS NOT NULL")
        named = stored.withColumn("id", part_of_path(r"([^/]+)\.parquet$")).join(f.broadcast(prefixes), "id")
        paths = named.select(f.concat("prefix", "path").alias("path"), "partition", "content")
        ordered = paths.orderBy(f.encode("path", "UTF-16BE")).rdd.zipWithIndex()
        numbered = ordered.map(lambda row: (*row[0], row[1]))
        self.table(
            "file", self.spark.createDataFrame(numbered, "path string, partition string, content bigint, file bigint")
        )
        # Numbers of documents: four for each file, of which its parts use three.
        self.spark.sql(
            """SELECT partition, content, part, 4 * file + part AS number
            FROM file CROSS JOIN (VALUES (0), (1), (2)) AS parts(part)"""
        ).createOrReplaceTempView("document")

    def find_seeds(self) -> tuple[DataFrame, int]:
        """Returns pairs of windows, and the number of crowded fingerprints."""
        queries = self.plan["queries"]
        windows = [f"contents/{id}/windows.parquet" for id in self.plan["partitions"]]
        stored = self.read(windows).withColumn("partition", part_of_path(r"([^/]+)/[^/]+$"))
        stored.createOrReplaceTempView("windows")
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
            level = next(level for level in view["levels"] if count <= level["fingerprints"])
            near = self.table("near", "\nUNION ALL ".join(level["near"]))
            crowded += self.spark.sql(level["crowded"]).first().crowded
            # Computed now, because the name of the table is used again for the next view.
            seeds = self.spark.sql(level["seeds"]).persist(StorageLevel.MEMORY_AND_DISK)
            seeds.count()
            near.unpersist()
            found.append(seeds)
            self.step()
        self.table("repeated", queries["repeated"])
        found.append(self.spark.sql(queries["equal"]))
        return reduce(DataFrame.unionAll, found), crowded

    def saved_seeds(self) -> tuple[int, int] | None:
        """Reads the pairs that an interrupted scan has saved. Returns their number and that of crowded fingerprints."""
        try:
            with open(os.path.join(self.plan["saved"], SUMMARY), encoding="utf-8") as file:
                summary = json.load(file)
            seeds = self.table("seed", self.spark.read.parquet(pattern_of(file_url(self.plan["saved"]))))
            if seeds.count() != summary["pairs"]:
                return None
        except Exception:  # There are none, or none that can be read.
            return None
        say("continued")
        return summary["pairs"], summary["crowded"]

    def found_seeds(self) -> tuple[int, int]:
        """Finds pairs, and saves them for a scan that continues this one. Returns the same as `saved_seeds`."""
        found, crowded = self.find_seeds()
        seeds = self.table("seed", found)
        count = seeds.count()
        draft = f"{self.plan['saved']}.{uuid.uuid4()}"
        try:
            seeds.write.parquet(file_url(draft))
            with open(os.path.join(draft, SUMMARY), "w", encoding="utf-8") as file:
                json.dump({"pairs": count, "crowded": crowded}, file)
            shutil.rmtree(self.plan["saved"], ignore_errors=True)
            os.rename(draft, self.plan["saved"])
        except Exception:  # Executors may not write there, or the disk is full: this scan is not continued.
            shutil.rmtree(draft, ignore_errors=True)
        return count, crowded

    def pairs(self, count: int) -> DataFrame:
        """Returns candidate pairs as lines of JSON. Those of two documents are in one partition."""
        tasks = max(self.spark.sparkContext.defaultParallelism, math.ceil(count / PAIRS_PER_TASK))
        self.step()
        named = self.spark.sql(
            """SELECT shiftright(a, 32) AS first, shiftright(b, 32) AS second,
              x.path AS pathA, shiftright(a, 32) % 4 AS partA, y.path AS pathB, shiftright(b, 32) % 4 AS partB,
              a & 4294967295 AS tokenA, b & 4294967295 AS tokenB, bits
            FROM seed JOIN file x ON x.file = shiftright(a, 34) JOIN file y ON y.file = shiftright(b, 34)"""
        )
        fields = ["pathA", "partA", "pathB", "partB", "tokenA", "tokenB", "bits"]
        line = f.to_json(f.struct(f.lit(self.plan["state"]).alias("state"), *fields))
        return named.repartitionByRange(tasks, "first", "second").select(line)

    def align(self, pairs: DataFrame) -> RDD[str]:
        command = [*self.plan["worker"], "org", "align", "--workers", "1", "--no-progress"]
        command += ["--index", self.plan["folder"]]
        matches = pairs.rdd.mapPartitions(partial(run_worker, command)).persist(StorageLevel.MEMORY_AND_DISK)
        say("aligning")
        matches.count()
        self.step()
        return matches

    def run(self, output: str) -> None:
        self.check()
        self.read_documents()
        count, crowded = self.saved_seeds() or self.found_seeds()
        matches = self.align(self.pairs(count))
        with open(output, "w", encoding="utf-8") as file:
            if crowded > 0:
                print(json.dumps({"state": self.plan["state"], "crowded": crowded}), file=file)
            for line in matches.toLocalIterator():
                print(line, file=file)


def file_url(path: str) -> str:
    return f"file://{path}"


def pattern_of(path: str) -> str:
    """Returns a pattern that only a path matches."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", path)


def part_of_path(pattern: str) -> Any:
    return f.regexp_extract(f.col("_metadata.file_path"), pattern, 1)


def main(plan_file: str, output: str) -> int:
    with open(plan_file, encoding="utf-8") as file:
        plan = json.load(file)
    spark = None
    try:
        spark = SparkSession.builder.appName("kindred org scan").getOrCreate()
        Scan(spark, plan).run(output)
        return 0
    except Exception as error:
        known = re.search(r"kindred error: ([^\n]+)", str(error))
        say(f"error: {known[1]}" if known else f"failure: {str(error).strip().splitlines()[0]}")
        return 1
    finally:
        if spark is not None:
            spark.stop()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
