import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findSystemBrowser } from './scripts/lib/browser.ts'

const executablePath = findSystemBrowser()
const isLongRun = process.env.PEGASUS_LONG === '1'

/**
 * Tests that do not depend on the width of the window, such as those of texts, sessions, requests and races. The test of
 * accessibility opens their screens at both widths.
 */
const SAME_AT_ANY_WIDTH = [
  '**/account-texts.spec.ts',
  '**/accounts-walk.spec.ts',
  '**/alerts.spec.ts',
  '**/api-keys.spec.ts',
  '**/audit.spec.ts',
  '**/changed-elsewhere.spec.ts',
  '**/dead-buttons.spec.ts',
  '**/deleted-order.spec.ts',
  '**/demo.spec.ts',
  '**/early-sign-in.spec.ts',
  '**/first-password.spec.ts',
  '**/first-view.spec.ts',
  '**/guards.spec.ts',
  '**/item-facts.spec.ts',
  '**/key-texts.spec.ts',
  '**/last-view.spec.ts',
  '**/load-spool.spec.ts',
  '**/mail-code.spec.ts',
  '**/main-site.spec.ts',
  '**/media.spec.ts',
  '**/new-order.spec.ts',
  '**/new-version.spec.ts',
  '**/offline.spec.ts',
  '**/pages-by-role.spec.ts',
  '**/passkeys.spec.ts',
  '**/phones.spec.ts',
  '**/plates-of-one-piece.spec.ts',
  '**/plates.spec.ts',
  '**/profile.spec.ts',
  '**/providers.spec.ts',
  '**/replenishment.spec.ts',
  '**/replicas.spec.ts',
  '**/reset-password.spec.ts',
  '**/resumable-client.spec.ts',
  '**/resumable-upload.spec.ts',
  '**/roles.spec.ts',
  '**/scan-camera.spec.ts',
  '**/second-factor.spec.ts',
  '**/security-keys.spec.ts',
  '**/sessions.spec.ts',
  '**/sign-up.spec.ts',
  '**/sliced-file-edit.spec.ts',
  '**/slicing.spec.ts',
  '**/sso.spec.ts',
  '**/system.spec.ts',
  '**/wizard-rules.spec.ts',
]

/**
 * Tests whose phone run is only in the long run (`npm run test:long`), because a run before each change has to be short.
 * The accessibility test opens their screens on the phone in both runs, but does not take the steps of these tests. Single
 * tests of other files have the tag `@phone-in-long-run`.
 */
const PHONE_IN_LONG_RUN = [
  '**/accounts.spec.ts',
  '**/dashboard.spec.ts',
  '**/filament.spec.ts',
  '**/floor.spec.ts',
  '**/large-floor.spec.ts',
  '**/models.spec.ts',
  '**/order-walk.spec.ts',
  '**/orders.spec.ts',
  '**/print-queue.spec.ts',
  '**/production-walk.spec.ts',
  '**/schedule.spec.ts',
  '**/stock-forms.spec.ts',
  '**/uploads.spec.ts',
]

/** Tests of what only one size of the window has. */
const ONLY_ON_DESKTOP = '**/*.desktop.spec.ts'
const ONLY_ON_PHONE = '**/*.phone.spec.ts'

/**
 * Chromium uses only the last list of disabled features, so the first entries repeat what Playwright disables. The last
 * three features start processes that no test needs: one in advance for the next page, and two for each window's
 * address bar.
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
 * The first two features repeat what Playwright enables, because Chromium uses only the last list. The third saves a
 * process, and the messages to it.
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
  // Each worker starts its own product. With more workers than processors, the tests take longer in total.
  workers: Math.max(2, availableParallelism()),
  retries: 0,
  forbidOnly: true,
  // The timeouts are long, because a slow response on a busy machine is not a failure.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    // Without this limit, a control that never appears costs the whole time of its test.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Chromium draws in software here, so each frame of an animation costs time. The walks show the app with animations.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every step would take a third of the time. `npx playwright test --trace on` records a run.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Its calls would bypass the routes of the tests. The test of the offline page allows it.
    serviceWorkers: 'block',
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
        // The tabs of one browser share a process, and no process is started in advance.
        '--process-per-site',
        `--enable-features=${ENABLED_FEATURES.join(',')}`,
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    },
  },
  projects: [
    { name: 'desktop', testIgnore: ONLY_ON_PHONE, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      testIgnore: [...SAME_AT_ANY_WIDTH, ...(isLongRun ? [] : PHONE_IN_LONG_RUN), ONLY_ON_DESKTOP],
      ...(!isLongRun && { grepInvert: /@phone-in-long-run/ }),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
})
