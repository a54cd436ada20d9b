"""WEKA's RaceSearch around naive Bayes or nearest neighbours: a process, ARFF in, text out.

Its seconds hold the start of Java and the reading of the file, about half a second.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))


def missing():
    """Why this peer cannot run, or None."""
    if shutil.which("java") is None:
        return "java is not installed"
    return None if JAR.is_file() else f"{JAR} is not there (Debian: weka; or set WEKA_JAR)"


def version():
    """Debian names the file after the version, and WEKA 3.6 prints it nowhere."""
    found = re.search(r"weka-([\d.]+\d)", JAR.resolve().name)
    return f"WEKA {found.group(1)}" if found else f"WEKA ({JAR.name})"


def select(X, y, task, seed, n_features):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.arff")
        _write(file, X, y, task)
        text = subprocess.run(_command(file, task), capture_output=True, text=True, check=False)
    if text.returncode == -signal.SIGXCPU:  # it was Java's time that was up
        signal.raise_signal(signal.SIGXCPU)
    found = re.search(r"Selected attributes: ([\d,]*)", text.stdout)
    if found is None:
        raise RuntimeError((text.stderr or text.stdout).strip()[-300:])
    return [int(number) - 1 for number in found.group(1).split(",") if number]


def _command(file, task):
    learner = ["weka.classifiers.bayes.NaiveBayes"]
    if task == "regression":
        # RaceSearch compares signed residuals, and those of least squares are zero on average
        learner = ["weka.classifiers.lazy.IBk", "--", "-K", "5"]
    java = ["java", "-XX:+UseSerialGC", "-Xmx2g", "-cp", str(JAR)]
    asked = ["-i", str(file), "-c", "last", "-s", "weka.attributeSelection.RaceSearch", "-T"]
    return [*java, "weka.attributeSelection.ClassifierSubsetEval", *asked, "-B", *learner]


def _write(file, X, y, task):
    classes = task == "classification"
    kind = "{" + ",".join(str(level) for level in sorted(set(y.tolist()))) + "}"
    with file.open("w") as lines:
        lines.write("@relation table\n")
        lines.writelines(f"@attribute x{position} numeric\n" for position in range(X.shape[1]))
        lines.write(f"@attribute y {kind if classes else 'numeric'}\n@data\n")
        for row, target in zip(X.tolist(), y.tolist(), strict=True):
            lines.write(",".join(map(repr, row)) + f",{target!r}\n")
