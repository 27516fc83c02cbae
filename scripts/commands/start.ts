import { ensureWebBuilt } from '../web/ensure-built.ts'

await ensureWebBuilt()
// Imported by path, so that the server's types stay in the server's project.
await import(new URL('../../apps/server/src/main.ts', import.meta.url).href)
