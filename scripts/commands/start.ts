import { ensureWebBuilt } from '../web/ensure-built.ts'

await ensureWebBuilt()
// Imported through a path that TypeScript does not resolve, so that the server's files are type-checked only in the
// server's own project.
await import(new URL('../../apps/server/src/main.ts', import.meta.url).href)
