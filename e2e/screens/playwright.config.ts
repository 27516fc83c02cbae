import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** The configuration of `npm run screens`, which takes screenshots of the demo on desktop and phone. */
const { globalSetup: _, projects = [], ...shared } = base

export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: 'take-screens.ts',
  outputDir: '../../.cache/screens/results',
  workers: 1,
  projects: projects.map(({ testIgnore: _ignored, ...project }) => project),
})
