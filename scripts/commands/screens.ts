import { spawnSync } from 'node:child_process'
import { inProject, say } from '../boot/project.mjs'
import { ensureBrowser } from '../lib/browser.ts'
import { tool } from '../lib/steps.ts'

// Arguments are passed on to Playwright: `npm run screens -- --grep Inventory --project phone`.
await ensureBrowser()
const config = inProject('e2e', 'screens', 'playwright.config.ts')
const { status } = spawnSync(
  process.execPath,
  [
    tool('@playwright', 'test', 'cli.js'),
    'test',
    '--config',
    config,
    '--reporter=line',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
say(`the pictures are in ${inProject('.cache', 'screens', 'pictures')}`)
