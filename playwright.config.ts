import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findSystemBrowser } from './scripts/lib/browser.ts'

const executablePath = findSystemBrowser()

/** What no width of the window changes: words, sessions, what goes over the wire. */
const SAME_AT_ANY_WIDTH = [
  '**/account-texts.spec.ts',
  '**/alerts.spec.ts',
  '**/guards.spec.ts',
  '**/key-texts.spec.ts',
  '**/main-site.spec.ts',
  '**/media.spec.ts',
  '**/replicas.spec.ts',
  '**/sessions.spec.ts',
  '**/wizard-rules.spec.ts',
]

/**
 * Chromium takes the last list of disabled features alone, so the first ones repeat what Playwright disables. The last
 * three start processes that no test needs: one ahead of the next page, and two of each window's address bar.
 */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/**
 * The first two repeat what Playwright enables, because Chromium takes the last list alone. The third saves a process,
 * and the messages to it.
 */
const ENABLED_FEATURES = [
  'CDPScreenshotNewSurface',
  'SkipListAccountsWithoutGaiaCookies',
  'NetworkServiceInProcess2',
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/support/harness.ts',
  outputDir: 'test-results',
  // Each worker starts a product of its own. With more workers than processors the tests take longer in all.
  workers: Math.max(2, availableParallelism()),
  retries: 0,
  forbidOnly: true,
  // On a busy machine a condition comes late, and that is no failure.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    // Recording every step takes a third of the time: `npx playwright test --trace on` records the test at hand.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // The tabs of one browser share a process, and none is started ahead of its use.
        '--process-per-site',
        `--enable-features=${ENABLED_FEATURES.join(',')}`,
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      testIgnore: SAME_AT_ANY_WIDTH,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
})
