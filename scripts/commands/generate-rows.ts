import { say } from '../boot/project.mjs'

// Imported by path, so that the server's types stay in the server's project.
const { generateRows } = (await import(
  new URL('../../apps/server/schema/generate-rows.ts', import.meta.url).href
)) as { generateRows(): Promise<string> }

say(`wrote ${await generateRows()}`)
