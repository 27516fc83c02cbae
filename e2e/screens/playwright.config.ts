import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** Pictures of the demo's screens, in the two sizes of the tests. `npm run screens` runs it. */
const { globalSetup: _, projects = [], ...shared } = base

export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: 'take-screens.ts',
  outputDir: '../../.cache/screens/results',
  workers: 1,
  projects: projects.map(({ testIgnore: _ignored, ...project }) => project),
})
