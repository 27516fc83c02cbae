import { say } from '../boot/project.mjs'

// By address, so that the server's types stay the server's own.
const { generateRows } = (await import(
  new URL('../../apps/server/schema/generate-rows.ts', import.meta.url).href
)) as { generateRows(): Promise<string> }

say(`wrote ${await generateRows()}`)
