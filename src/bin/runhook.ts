#!/usr/bin/env node
import { processIo } from '#src/cli/io.js';
import { runCli } from '#src/cli/run-cli.js';
import { VERSION } from '#src/package.js';

// The server's code is loaded only by commands that need it.
process.exitCode = await runCli(process.argv.slice(2), processIo(), VERSION, {
  async setUp(options) {
    const { setUpCommand } = await import('./set-up-command.js');
    await setUpCommand(options, process.env);
  },
  async rotateSecrets() {
    const { rotateSecretsCommand } = await import('./secrets-command.js');
    return rotateSecretsCommand(process.env);
  },
  async checkServerParts() {
    const { MONGODB_URL, TEMPORAL_ADDRESS, RUNHOOK_SECRET_KEYS } = process.env;
    if (!MONGODB_URL && !TEMPORAL_ADDRESS && !RUNHOOK_SECRET_KEYS) return [];
    const { doctorCommand } = await import('./doctor-command.js');
    return doctorCommand(process.env);
  },
});
