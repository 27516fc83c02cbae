import { ensureWebBuilt } from '../web/ensure-built.ts'

await ensureWebBuilt()
// By address, so that the server's types stay the server's own.
await import(new URL('../../apps/server/src/main.ts', import.meta.url).href)
