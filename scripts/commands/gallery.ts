import { say } from '../boot/project.mjs'
import { serveGallery } from '../web/gallery.ts'

const { url, close } = await serveGallery()
say(`the component gallery is at ${url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
