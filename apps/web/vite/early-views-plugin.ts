import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const VIEWS = fileURLToPath(new URL('early-views.tsx', import.meta.url))
const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** The templates are placed before this script, which reads them. */
const READER = '<script src="/first-view.js"'

/** Matches the picture beside the form. */
const PICTURE = /<figure\b.*<\/figure>/s

/**
 * Moves the picture, which is the same on all screens, from the screens into a view of its own, so that the page
 * contains it once.
 */
function sharePicture(views: Record<string, string>): Record<string, string> {
  const pictures = new Set(Object.values(views).map((markup) => PICTURE.exec(markup)?.[0]))
  const [picture] = pictures
  if (pictures.size !== 1 || picture === undefined)
    throw new Error('The sign-in screens do not have the same picture.')
  const forms = Object.entries(views).map(([path, markup]) => [path, markup.replace(PICTURE, '')])
  return { picture, ...Object.fromEntries(forms) }
}

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
      const templates = Object.entries(sharePicture(module.renderEarlyViews())).map(
        ([path, markup]) => `<template data-view="${path}">${markup}</template>`,
      )
      if (!page.includes(READER)) throw new Error('index.html does not load first-view.js.')
      return page.replace(READER, () => `${templates.join('\n    ')}\n    ${READER}`)
    },
  },
})
