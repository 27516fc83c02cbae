import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findSystemBrowser } from './scripts/lib/browser.ts'

const LONG = '**/*.long.test.ts'
const NEVER = ['**/node_modules/**', '**/dist/**', '.runtime/**', '.cache/**']
const isLongRun = process.env.PEGASUS_LONG === '1'
/** Needs a real S3 store, whose address is in this variable. */
const REAL_STORE = process.env.PEGASUS_TEST_STORAGE_URL ? [] : ['**/foreign-s3.long.test.ts']
const WHOLE_PROJECT = ['scripts/new-module/new-module.test.ts', 'bench/**/*.test.ts']
/** Returns the timeout of a test. In the long run each test gets an hour, because it has many more cases. */
const withTime = (timeoutMs: number) => (isLongRun ? 60 * 60_000 : timeoutMs)

const executablePath = findSystemBrowser()

/** How long a test waits for a state that arrives soon. On a busy machine, Vitest's second is not enough. */
const patient = { expect: { poll: { timeout: 30_000 } } }

const shared = {
  ...patient,
  setupFiles: ['./scripts/lib/test-setup.ts'],
  // One process runs many files, so that shared modules are loaded only once. Tests must not leave state behind.
  isolate: false,
}

/** Tests against the real database, which the global set-up starts once for the run. */
const withDatabase = {
  ...shared,
  pool: 'forks' as const,
  // Node runs the server's TypeScript itself, as in production. This takes a quarter of the time that Vite needs.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Each test builds an app. With more room for new objects, their collection takes less time.
  execArgv: ['--max-semi-space-size=64'],
  globalSetup: ['./apps/server/test/support/database/global-setup.ts'],
  // The timeout is long, because the machine may be busy. Tests that measure time are in `npm run test:long`.
  testTimeout: withTime(120_000),
  hookTimeout: withTime(120_000),
}

export default defineConfig({
  test: {
    // One more worker than processors keeps all of them busy, because some tests wait for other processes.
    maxWorkers: availableParallelism() + 1,
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
          exclude: [...NEVER, ...WHOLE_PROJECT, LONG],
          testTimeout: withTime(60_000),
        },
      },
      // These tests compile or start the whole project, which takes minutes, so `npm run check` leaves them out.
      {
        test: {
          ...shared,
          name: 'tools',
          include: WHOLE_PROJECT,
          exclude: NEVER,
          testTimeout: withTime(600_000),
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
      // These tests render the components of the web app in a real browser.
      {
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        // Loaded on demand. Found only during a run, it would reload the page of the tests.
        optimizeDeps: { include: ['barcode-detector/ponyfill', '@messageformat/parser'] },
        test: {
          ...patient,
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
      // These tests measure memory and time, so each file gets its own process.
      {
        test: {
          ...withDatabase,
          isolate: true,
          name: 'long',
          include: isLongRun ? [LONG] : [],
          exclude: [...NEVER, ...REAL_STORE],
        },
      },
    ],
  },
})
