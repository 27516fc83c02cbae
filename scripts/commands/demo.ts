import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../boot/project.mjs'
import { startAtFreePort } from '../lib/first-free-port.ts'
import { ensureWebBuilt } from '../web/ensure-built.ts'

/** The exports of the demo's files that this command uses. */
interface DemoFiles {
  demoVariables(caller: NodeJS.ProcessEnv): Record<string, string>
  prepareDemo(
    variables: Record<string, string>,
    signal: AbortSignal,
    say: (line: string) => void,
  ): Promise<void>
  publishProducts(demo: {
    opsUrl: string
    shopUrl: string
    signal: AbortSignal
  }): Promise<{ published: number; problems: string[] }>
  runFloor(
    floor: { opsUrl: string; addresses: ReadonlyMap<string, string>; signal: AbortSignal },
    say: (line: string) => void,
  ): Promise<void>
  DEMO_NETWORK_PRINTERS: readonly { key: string; protocol: string; port: number }[]
  DEMO_PRINTER_KEY: string
  DEMO_PRINTER_SPEED: number
  DEMO_PASSWORD: string
  DEMO_SITE: { host: string; port: number; adminKey: string; webhookSecret: string }
  DEMO_PEOPLE: readonly { username: string; fullName: string }[]
}

// Imported through a path that TypeScript does not resolve, so that the server's files are type-checked only in the
// server's own project.
const load = async (path: string): Promise<unknown> =>
  import(new URL(`../../apps/server/${path}`, import.meta.url).href)
const { demoVariables, prepareDemo, DEMO_SITE } = (await load('demo/prepare-demo.ts')) as DemoFiles
const { publishProducts } = (await load('demo/publish-products.ts')) as DemoFiles
const { runFloor } = (await load('demo/floor/run-floor.ts')) as DemoFiles
const { DEMO_NETWORK_PRINTERS, DEMO_PRINTER_KEY, DEMO_PRINTER_SPEED } = (await load(
  'demo/floor/network-printers.ts',
)) as DemoFiles
const { DEMO_PASSWORD, DEMO_PEOPLE } = (await load('demo/people.ts')) as DemoFiles

await ensureWebBuilt()
const variables = demoVariables(process.env)
await fill()
const shopUrl = await startMainSite()
const printerAddresses = await startPrinters()
// Start the server in this process, with the settings of the demo.
Object.assign(process.env, variables)
await load('src/main.ts')
printAccounts()
if (shopUrl !== null) void fillMainSite(shopUrl)
void fillFloor(printerAddresses)

/** Fills the demo. Ctrl-C stops it after the current step, and the next start continues there. */
async function fill(): Promise<void> {
  const stop = new AbortController()
  const abort = (signal: NodeJS.Signals) => stop.abort(signal)
  process.on('SIGINT', abort).on('SIGTERM', abort)
  try {
    await prepareDemo(variables, stop.signal, say)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    say('stopped; the next start continues to fill the shop')
    process.exit(130)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}

/**
 * Starts the example shop next to the server, so that products can be published. Uses the port of the last run, the
 * default port, or any free port. So another program on one of these ports gets neither products nor the key. The demo
 * also works without the example shop.
 */
async function startMainSite(): Promise<string | null> {
  const { startShop } = (await import(new URL('../../examples/main-site/shop.ts', import.meta.url).href)) as {
    startShop(options: Record<string, string | number>): Promise<{ url: string }>
  }
  const folder = variables['DATA_DIR'] ?? '.'
  const portFile = join(folder, 'main-site.port')
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  try {
    const { url } = await startAtFreePort([...(last > 0 ? [last] : []), DEMO_SITE.port], (port) =>
      startShop({
        ...DEMO_SITE,
        port,
        file: join(folder, 'main-site.json'),
        adminHeader: 'x-admin-key',
        opsUrl: `http://127.0.0.1:${variables['PORT']}`,
        currency: variables['CURRENCY'] || 'USD',
      }),
    )
    const port = Number(new URL(url).port)
    if (port !== DEMO_SITE.port)
      say(
        `${port === last ? 'as the last time' : `port ${DEMO_SITE.port} is taken`}: the example shop is at ${url}`,
      )
    // Products contain addresses of the shop, so remember its port for the next run.
    await writeFile(portFile, String(port))
    variables['MAIN_SITE_URL'] = url
    return url
  } catch (error) {
    say(`the example shop did not start: ${error instanceof Error ? error.message : String(error)}`)
    variables['MAIN_SITE_URL'] = ''
    return null
  }
}

/** Fills the example shop in the background, because the server still draws the pictures that products need. */
async function fillMainSite(url: string): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal))
  try {
    const opsUrl = `http://${variables['HOST'] || '127.0.0.1'}:${variables['PORT']}`
    const { published, problems } = await publishProducts({ opsUrl, shopUrl: url, signal: stop.signal })
    for (const problem of problems) say(`the example shop was not given a product: ${problem}`)
    say(`the example shop shows ${published} products: ${url}`)
  } catch (error) {
    if (!stop.signal.aborted)
      say(`the example shop is not complete: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Starts each simulated printer on its own port, or on a free port if that is in use. Returns the printers' addresses.
 */
async function startPrinters(): Promise<Map<string, string>> {
  const path = new URL('../../examples/simulated-printers/simulated-printers.ts', import.meta.url).href
  const { startSimulatedPrinters } = (await import(path)) as {
    startSimulatedPrinters(options: object): Promise<{ printers: { name: string; url: string }[] }>
  }
  const addresses = new Map<string, string>()
  for (const { key, protocol, port: usual } of DEMO_NETWORK_PRINTERS) {
    const { printers } = await startAtFreePort([usual], (port) =>
      startSimulatedPrinters({
        host: '127.0.0.1',
        printers: [{ name: key, protocol, port, apiKey: DEMO_PRINTER_KEY }],
        speed: DEMO_PRINTER_SPEED,
        adminPort: null,
      }),
    )
    for (const { name, url } of printers) addresses.set(name, url)
  }
  return addresses
}

/** Lets the simulated printers print until the demo ends. */
async function fillFloor(addresses: ReadonlyMap<string, string>): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal))
  try {
    const opsUrl = `http://${variables['HOST'] || '127.0.0.1'}:${variables['PORT']}`
    await runFloor({ opsUrl, addresses, signal: stop.signal }, say)
  } catch (error) {
    if (!stop.signal.aborted)
      say(`the demo printers do not work: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function printAccounts(): void {
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
