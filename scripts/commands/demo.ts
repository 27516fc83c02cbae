import { say } from '../boot/project.mjs'
import { ensureWebBuilt } from '../web/ensure-built.ts'

/** What the demo's files show of themselves to this command. */
interface DemoFiles {
  demoVariables(caller: NodeJS.ProcessEnv): Record<string, string>
  prepareDemo(
    variables: Record<string, string>,
    signal: AbortSignal,
    say: (line: string) => void,
  ): Promise<void>
  DEMO_PASSWORD: string
  DEMO_PEOPLE: readonly { username: string; fullName: string }[]
}

// By address, so that the server's types stay the server's own.
const load = async (path: string): Promise<unknown> =>
  import(new URL(`../../apps/server/${path}`, import.meta.url).href)
const { demoVariables, prepareDemo } = (await load('demo/prepare-demo.ts')) as DemoFiles
const { DEMO_PASSWORD, DEMO_PEOPLE } = (await load('demo/people.ts')) as DemoFiles

await ensureWebBuilt()
const variables = demoVariables(process.env)
await fill()
// The product itself, as `npm start` runs it, on the demo's folder.
Object.assign(process.env, variables)
await load('src/main.ts')
tellWhoIsThere()

/** A Ctrl-C while the shop is being filled stops at the next step; the next start goes on from there. */
async function fill(): Promise<void> {
  const stop = new AbortController()
  const abort = (signal: NodeJS.Signals) => stop.abort(signal)
  process.on('SIGINT', abort).on('SIGTERM', abort)
  try {
    await prepareDemo(variables, stop.signal, say)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    say('stopped; the next start goes on with the filling')
    process.exit(130)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}

function tellWhoIsThere(): void {
  const people = DEMO_PEOPLE.map(({ username, fullName }) => `  ${username.padEnd(10)}${fullName}`)
  console.log(
    [
      'This is the demo shop: invented people, orders and stock. Sign in as',
      ...people,
      `each with the password   ${DEMO_PASSWORD}   (so keep it off the internet).`,
      `Remove ${variables['DATA_DIR']} for a new shop.`,
      '',
    ].join('\n'),
  )
}
