import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findSystemBrowser } from './scripts/lib/browser.ts'

const LONG = '**/*.long.test.ts'
const NEVER = ['**/node_modules/**', '**/dist/**', '.runtime/**', '.cache/**']
const isLongRun = process.env.PEGASUS_LONG === '1'
/** Full numbers of cases take minutes where the small ones take milliseconds. */
const withTime = (timeoutMs: number) => (isLongRun ? 60 * 60_000 : timeoutMs)

const executablePath = findSystemBrowser()

const shared = {
  setupFiles: ['./scripts/lib/test-setup.ts'],
  // One process runs many files, so that the modules they share are loaded once: a test leaves no state behind.
  isolate: false,
}

/** Tests against the real database, which the global set-up starts once for the run. */
const withDatabase = {
  ...shared,
  pool: 'forks' as const,
  // Node reads the server's TypeScript by itself, as it does in production, in a quarter of the time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  globalSetup: ['./apps/server/test/support/global-setup.ts'],
  // Nothing is late that comes: what measures time is not here, and the machine may have other work.
  testTimeout: withTime(120_000),
  hookTimeout: withTime(120_000),
}

export default defineConfig({
  test: {
    // Half of a test's time is the database's: as many as there are processors leave none of them idle.
    maxWorkers: '100%',
    projects: [
      {
        resolve: { alias: { '@': fileURLToPath(new URL('./apps/web/src', import.meta.url)) } },
        test: {
          ...shared,
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/web/**/*.test.ts',
            'scripts/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
          exclude: [...NEVER, LONG],
          testTimeout: withTime(60_000),
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'integration',
          include: ['apps/server/**/*.test.ts'],
          exclude: [...NEVER, LONG],
        },
      },
      // The components of the web app, in a real browser.
      {
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        test: {
          name: 'components',
          include: ['src/**/*.test.tsx'],
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox'] },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
          },
        },
      },
      // Measures memory and time: each file in a process of its own.
      {
        test: {
          ...withDatabase,
          isolate: true,
          name: 'long',
          include: isLongRun ? [LONG] : [],
          exclude: NEVER,
        },
      },
    ],
  },
})
