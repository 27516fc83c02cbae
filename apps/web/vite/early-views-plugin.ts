import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const VIEWS = fileURLToPath(new URL('early-views.tsx', import.meta.url))
const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** The templates are placed before this script, which reads them. */
const READER = '<script src="/first-view.js"'

/**
 * Renders the sign-in screens and writes them into the page, as one template for each path.
 * `public/first-view.js` shows the template of its address until the app has rendered.
 */
export const earlyViews = (): Plugin => ({
  name: 'early-views',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(page) {
      const { module } = await runnerImport<typeof import('./early-views.tsx')>(VIEWS, {
        configFile: false,
        resolve: { alias: { '@': SOURCES } },
      })
      const templates = Object.entries(module.renderEarlyViews()).map(
        ([path, markup]) => `<template data-view="${path}">${markup}</template>`,
      )
      if (!page.includes(READER)) throw new Error('index.html does not load first-view.js.')
      return page.replace(READER, () => `${templates.join('\n    ')}\n    ${READER}`)
    },
  },
})
