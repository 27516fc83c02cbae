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
  DEMO_SITE: { host: string; port: number; adminKey: string }
  DEMO_PEOPLE: readonly { username: string; fullName: string }[]
}

// By address, so that the server's types stay the server's own.
const load = async (path: string): Promise<unknown> =>
  import(new URL(`../../apps/server/${path}`, import.meta.url).href)
const { demoVariables, prepareDemo, DEMO_SITE } = (await load('demo/prepare-demo.ts')) as DemoFiles
const { DEMO_PASSWORD, DEMO_PEOPLE } = (await load('demo/people.ts')) as DemoFiles

await ensureWebBuilt()
const variables = demoVariables(process.env)
await fill()
const shopUrl = await startMainSite()
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

/**
 * The example's shop beside the product, so that publishing has somewhere to go: at its own port, or at any other where
 * somebody is there already, who must get neither products nor key. The demo does without it if it must.
 */
async function startMainSite(): Promise<string | null> {
  const { startShop } = (await import(new URL('../../examples/main-site/shop.ts', import.meta.url).href)) as {
    startShop(options: Record<string, string | number>): Promise<{ url: string }>
  }
  const start = (port: number) =>
    startShop({
      ...DEMO_SITE,
      port,
      file: `${variables['DATA_DIR']}/main-site.json`,
      adminHeader: 'x-admin-key',
      opsUrl: `http://127.0.0.1:${variables['PORT']}`,
      currency: variables['CURRENCY'] || 'USD',
    })
  try {
    const { url } = await start(DEMO_SITE.port).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      return start(0)
    })
    variables['MAIN_SITE_URL'] = url
    return url
  } catch (error) {
    say(`the example shop did not start: ${error instanceof Error ? error.message : String(error)}`)
    variables['MAIN_SITE_URL'] = ''
    return null
  }
}

function tellWhoIsThere(): void {
  const people = DEMO_PEOPLE.map(({ username, fullName }) => `  ${username.padEnd(10)}${fullName}`)
  console.log(
    [
      'This is the demo shop: invented people, orders and stock. Sign in as',
      ...people,
      `each with the password   ${DEMO_PASSWORD}   (so keep it off the internet).`,
      ...(shopUrl === null ? [] : [`What it publishes can be seen in the example shop, ${shopUrl}`]),
      `Remove ${variables['DATA_DIR']} for a new shop.`,
      '',
    ].join('\n'),
  )
}
