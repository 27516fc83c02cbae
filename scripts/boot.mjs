// The entry of every npm command: `node scripts/boot.mjs <command>`. It prepares the checkout (a recent Node, the
// locked dependencies) and then runs the command's file. It must run on any Node before anything is installed. So it is
// plain JavaScript without dependencies.

/** @type {Record<string, string | undefined>} */
const COMMANDS = {
  start: 'scripts/commands/start.ts',
  build: 'scripts/commands/build.ts',
  test: 'scripts/commands/test.ts',
  'test:long': 'scripts/commands/test-long.ts',
  dev: 'scripts/commands/dev.ts',
  backup: 'scripts/commands/backup.ts',
  restore: 'scripts/commands/restore.ts',
  export: 'scripts/commands/export.ts',
  check: 'scripts/commands/check.ts',
  bench: 'bench/main.ts',
  demo: 'scripts/commands/demo.ts',
  gallery: 'scripts/commands/gallery.ts',
  screens: 'scripts/commands/screens.ts',
  'new:module': 'scripts/commands/new-module.ts',
  'generate:rows': 'scripts/commands/generate-rows.ts',
  'generate:passwords': 'scripts/commands/generate-passwords.ts',
  sbom: 'scripts/commands/sbom.ts',
}
const OLDEST_NODE = 20

const file = COMMANDS[process.argv[2] || '']
const runningNode = Number(process.versions.node.split('.')[0])

if (runningNode < OLDEST_NODE) {
  fail(`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or newer, and run this again.`)
} else if (!file) {
  fail(`Usage: node scripts/boot.mjs ${Object.keys(COMMANDS).join(' | ')}`)
} else {
  // Import this only here, so that an older Node prints the message above instead of a syntax error.
  import('./boot/prepare.mjs')
    .then(({ prepareAndHandOver }) => prepareAndHandOver(file, process.argv.slice(3)))
    .catch((error) => {
      if (error.signal) process.kill(process.pid, error.signal)
      else fail(error.isForPeople ? error.message : error.stack)
    })
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  // Exit at once. A failed command may have left handles open, which would keep the process alive.
  process.exit(1)
}
