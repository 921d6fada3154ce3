#!/usr/bin/env node
// Runs the program in the package that npm has installed for this machine.
"use strict";

const { spawn } = require("node:child_process");

/** The packages that may contain the program, the best one first. */
function candidates() {
  const own = `@stepkin/${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [own];
  // A program that is linked to glibc doesn't start on a system with musl. The other one starts everywhere.
  const hasGlibc = Boolean(process.report.getReport().header.glibcVersionRuntime);
  return hasGlibc ? [own, `${own}-musl`] : [`${own}-musl`];
}

/** Returns the path of the program, or nothing. */
function find() {
  for (const name of candidates()) {
    try {
      return require.resolve(`${name}/stepkin`);
    } catch {
      // It isn't installed.
    }
  }
}

const program = find();
if (!program) {
  const names = candidates().map((name) => `\`${name}\``).join(" or ");
  console.error(
    `error: cannot find the program for this machine: ${names} is not installed\n` +
      "  = help: install without `--omit=optional`; there are programs for Linux and macOS, and on Windows WSL runs that for Linux",
  );
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal also sends these signals to the program, which then ends.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  console.error(`error: cannot run \`${program}\`: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) process.exit(status);
  // This process ends in the same way as the program.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
