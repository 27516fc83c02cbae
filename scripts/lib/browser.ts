import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { PlainError, say } from '../boot/project.mjs'
import { tool } from './steps.ts'

/**
 * Names of the browser's program. The headless shell comes first, because tests need a sixth less processor time with
 * it.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const FIXED_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Returns the path of this machine's Chromium, or null if none is installed. */
export function findSystemBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...FIXED_PLACES,
  ]
  return candidates.find((file) => existsSync(file) && answers(file)) ?? null
}

/** Makes sure that the browser tests have a browser. Throws an error whose message says what is missing. */
export async function ensureBrowser(): Promise<void> {
  if (findSystemBrowser() || (await hasPlaywrightBrowser())) return
  if (canUseApt()) installWithApt()
  if (findSystemBrowser()) return
  say('installing the Chromium that Playwright brings')
  const { status } = spawnSync(process.execPath, [tool('playwright', 'cli.js'), 'install', 'chromium'], {
    stdio: 'ignore',
  })
  if (status === 0 && (await hasPlaywrightBrowser())) return
  throw new PlainError(
    'The end-to-end tests need a browser and none could be installed: install Chromium or Google Chrome, and run this again.',
  )
}

/** Returns whether the program can be started. Ubuntu's package of Chromium contains only a script that cannot. */
function answers(file: string): boolean {
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

async function hasPlaywrightBrowser(): Promise<boolean> {
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

function installWithApt(): void {
  say('installing Chromium with apt-get')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  apt('update')
  // If a distribution has no package for the headless shell, try the full browser.
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    const { status } = apt('install', '--yes', '--no-install-recommends', browser, 'fonts-liberation')
    if (status === 0) return
  }
}
