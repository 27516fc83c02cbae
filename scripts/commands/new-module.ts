import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inProject, say } from '../boot/project.mjs'
import { runStep, tool } from '../lib/steps.ts'
import { readModuleName } from '../new-module/module-name.ts'
import { moduleAccess, moduleFiles } from '../new-module/templates.ts'

// Writes a working module: contract, table, endpoints, service, SQL and tests, registered in the app. It does not
// change the web app; CONTRIBUTING.md describes how to add a screen.

const APP = 'apps/server/src/app.ts'
const ACCESS_TABLE = 'apps/server/test/surface/access-table/access-table.ts'

try {
  const name = readModuleName(process.argv[2])
  const files = moduleFiles(name, nextMigrationNumber())
  const existing = Object.keys(files).find((path) => existsSync(inProject(path)))
  if (existing) throw new Error(`${existing} already exists: choose another name.`)
  for (const [path, source] of Object.entries(files)) write(path, source)
  edit(APP, (source) =>
    insertBefore(
      insertBefore(
        source,
        "import type { Clock } from './platform/clock.ts'",
        `import { add${name.Many} } from './modules/${name.kebab}/index.ts'\n`,
      ),
      '  await serveWebApp(',
      `  add${name.Many}(endpoints, { database, clock })\n`,
    ),
  )
  edit(ACCESS_TABLE, (source) => insertBefore(source, '}\n', moduleAccess(name), source.lastIndexOf('}\n')))
  await format([...Object.keys(files), APP, ACCESS_TABLE])
  await import('./generate-rows.ts')
  say(`module ${name.kebab} is ready: npm run check, then git add --all`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function nextMigrationNumber(): string {
  const files = readdirSync(inProject('apps/server/migrations')).filter((file) => file.endsWith('.sql'))
  const numbers = files.map((file) => Number.parseInt(file, 10))
  return String(Math.max(...numbers) + 1).padStart(4, '0')
}

function write(path: string, source: string): void {
  mkdirSync(dirname(inProject(path)), { recursive: true })
  writeFileSync(inProject(path), source)
  say(`wrote ${path}`)
}

function edit(path: string, change: (source: string) => string): void {
  writeFileSync(inProject(path), change(readFileSync(inProject(path), 'utf8')))
  say(`edited ${path}`)
}

function insertBefore(source: string, anchor: string, text: string, at = source.indexOf(anchor)): string {
  if (at === -1) throw new Error(`The line to insert before is missing: ${anchor}`)
  return source.slice(0, at) + text + source.slice(at)
}

async function format(paths: readonly string[]): Promise<void> {
  const script = tool('@biomejs', 'biome', 'bin', 'biome')
  const { isOk } = await runStep({ name: 'format', script, args: ['format', '--write', ...paths] })
  if (!isOk) throw new Error('The new files could not be formatted.')
}
