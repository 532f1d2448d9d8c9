#!/usr/bin/env python3
"""Tests of the results file and of the table; scripts/check runs them."""

import pathlib
import subprocess
import tempfile
import unittest
import zipfile

import bench
import measure
import results
import table
from cases import p13_small_update, p2_capped_server


class History:
    """A history in which the given paths have changed since the measurement."""

    def __init__(self, *changed):
        self.changed = changed

    def commit(self):
        return {"commit": "0123456789abcdef", "withChanges": False}

    def changed_since(self, commit, paths):
        assert commit == "0123456789abcdef"
        return any(path in paths for path in self.changed)


def entry(values, bar, **options):
    return results.entry([measure.Finding("P5", "ours : bsdtar", values, bar, note="1 s : 2 s", **options)], 3, History())


class ResultsTests(unittest.TestCase):
    def test_every_case_has_modules_that_exist(self):
        self.assertEqual(list(results.MEASURES), list(bench.CASES))
        for case in bench.CASES:
            for path in results.paths(case):
                self.assertTrue((bench.ROOT / path).exists(), path)

    def test_what_a_case_measures_with_makes_its_figures_stale(self):
        paths = {case: results.paths(case) for case in bench.CASES}
        for case, name in {"P5": "unpack", "P11": "skins", "P12": "emoji"}.items():
            self.assertIn(f"scripts/bench/ours/{name}", paths[case])
        for case in ("P3", "P3-cost", "P4", "P14", "check"):
            self.assertLessEqual({"Sources/StickerPacks", "Sources/Images"}, set(paths[case]), case)
        for case in bench.CASES:
            self.assertIn("scripts/bench/measure.py", paths[case], case)
        self.assertIn("scripts/bench/servers.py", paths["P3"])
        self.assertIn("scripts/bench/inputs.py", paths["P3"])
        self.assertNotIn("scripts/bench/servers.py", paths["P5"], "it has no server")
        for case in ("P3", "P3-cost", "P4"):
            self.assertIn("scripts/bench/peers/install-packs.c", paths[case], case)
        # Of another case, and of one that is imported with others.
        self.assertIn("scripts/bench/inputs.py", paths["P3-cost"])
        self.assertIn("scripts/bench/browser.py", paths["P8"])

    def test_a_row_has_the_median_and_the_verdict(self):
        row = entry([0.7, 0.5, 0.9], 0.6)["rows"][0]
        self.assertEqual((row["median"], row["minimum"], row["maximum"]), (0.7, 0.5, 0.9))
        self.assertEqual(row["verdict"], "missed")
        self.assertEqual(entry([0.5], 0.6)["rows"][0]["verdict"], "reached")
        self.assertEqual(entry([400], 500, larger_is_better=True)["rows"][0]["verdict"], "missed")
        self.assertEqual(entry([0.5], None)["rows"][0]["verdict"], "")

    def test_cases_that_are_not_measured_keep_their_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "new/results.json"
            self.assertEqual(results.read(file), {})
            results.write(file, {"P7": entry([1], 2), "P5": entry([0.5], 0.6)})
            kept = results.read(file)
            self.assertEqual(list(kept), ["P5", "P7"])
            results.write(file, {**kept, "P5": entry([0.9], 0.6)})
            self.assertEqual(results.read(file)["P7"], kept["P7"])
            self.assertEqual(results.read(file)["P5"]["rows"][0]["verdict"], "missed")

    def test_strict_names_missed_bars_and_missing_cases(self):
        cases = {"P5": entry([0.9], 0.6), "P7": entry([1], 2), "P8": entry([1], None)}
        self.assertEqual(results.problems(cases, ["P7", "P8"]), [])
        problems = results.problems(cases, ["P5", "P6", "P7"])
        self.assertEqual(len(problems), 2)
        self.assertIn("P6 was not measured", problems)
        self.assertIn("P5 missed its bar: ours : bsdtar, 0.9 (0.9 to 0.9), at most 0.6", problems)

    def test_a_repository_says_what_has_changed_since_a_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*words):
                subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                               capture_output=True)

            def commit(path):
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(path + str(file.exists()), encoding="utf-8")
                git("add", "--all")
                git("commit", "--message", path)

            git("init")
            commit("Sources/Skins/a")
            repository = results.Repository(folder)
            measured = repository.commit()
            self.assertFalse(measured["withChanges"])
            commit("Sources/Archives/b")
            self.assertTrue(repository.changed_since(measured["commit"], results.paths("P5")))
            self.assertFalse(repository.changed_since(measured["commit"], results.paths("P11")))
            self.assertTrue(repository.changed_since("0" * 40, results.paths("P11")), "an unknown commit")
            (pathlib.Path(folder) / "Sources/Skins/a").write_text("changed", encoding="utf-8")
            self.assertTrue(repository.commit()["withChanges"])


class TableTests(unittest.TestCase):
    def test_a_missed_bar_and_a_stale_figure_are_marked(self):
        cases = {"P5": entry([0.9], 0.6), "P11": entry([0.01], 0.05)}
        lines = table.table(cases, History("Sources/Archives"))
        self.assertEqual(len(lines), 4)
        self.assertIn("| P5 | ours : bsdtar | 0.9 (0.9 to 0.9) | at most 0.6 | **missed** | 1 s : 2 s | 0123456789, ", lines[2])
        self.assertTrue(lines[2].endswith(", stale |"), lines[2])
        self.assertIn("| reached |", lines[3])
        self.assertFalse(lines[3].endswith(", stale |"), lines[3])

    def test_figures_of_uncommitted_changes_say_so(self):
        changed = {**entry([1], 2), "withChanges": True}
        self.assertTrue(table.origin("P5", changed, History()).endswith(", with changes"))

    def test_the_table_replaces_what_is_between_the_markers(self):
        text = f"a\n{table.BEGIN}\nold\n{table.END}\nb\n"
        new = table.replaced(text, ["new"])
        self.assertEqual(new, f"a\n{table.BEGIN}\nnew\n{table.END}\nb\n")
        self.assertEqual(table.replaced(new, ["new"]), new)
        with self.assertRaises(SystemExit):
            table.replaced("no markers", ["new"])

    def test_the_readme_has_the_markers(self):
        readme = (table.ROOT / "README.md").read_text(encoding="utf-8")
        self.assertIn("new line", table.replaced(readme, ["new line"]))


class CaseTests(unittest.TestCase):
    def test_a_contestant_that_is_faster_than_its_connections_is_rejected(self):
        size = 20 * p2_capped_server.RATE
        p2_capped_server.check_limit({"curl": [19.5, 25], "ours": [4.9, 5]}, size)
        with self.assertRaisesRegex(measure.Wrong, "curl took 18.000 s, .* at least 19.000 s"):
            p2_capped_server.check_limit({"curl": [20, 18]}, size)
        with self.assertRaisesRegex(measure.Wrong, "ours took 4.500 s, .* at least 4.750 s"):
            p2_capped_server.check_limit({"curl": [20], "ours": [5, 4.5]}, size)

    def test_changed_bytes_are_those_of_the_changed_files_in_the_new_archive(self):
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder) / name for name in ("old.zip", "new.zip"))
            changed = range(p13_small_update.CHANGED + 1)

            def write(path, size, compression, names):
                with zipfile.ZipFile(path, "w", compression) as archive:
                    archive.writestr("same", b"0" * 1000)
                    for number in names:
                        archive.writestr(f"{number}", bytes([size % 256]) * size)

            write(old, 100, zipfile.ZIP_STORED, changed)
            write(new, 300, zipfile.ZIP_STORED, changed)
            self.assertEqual(p13_small_update.changed_bytes(old, new), 300 * len(changed))
            write(new, 300, zipfile.ZIP_DEFLATED, changed)
            self.assertLess(p13_small_update.changed_bytes(old, new), 100 * len(changed))
            write(new, 300, zipfile.ZIP_STORED, changed[1:])
            with self.assertRaisesRegex(measure.Wrong, "4 files differ"):
                p13_small_update.changed_bytes(old, new)


if __name__ == "__main__":
    unittest.main()
