import { say } from '../boot/project.mjs'

// Imported through a path that TypeScript does not resolve, so that the server's files are type-checked only in the
// server's own project.
const { generateRows } = (await import(
  new URL('../../apps/server/schema/generate-rows.ts', import.meta.url).href
)) as { generateRows(): Promise<string> }

say(`wrote ${await generateRows()}`)
