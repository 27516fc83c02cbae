import { registerHooks } from 'node:module'

/** One patch of the driver's source: the original text, how often it occurs, and its replacement. */
type Mend = readonly [found: string, times: number, put: string]

/*
 * postgres.js 3.4.9, the newest release, does not survive the loss of a connection (porsager/postgres issues 1133,
 * 1186, 1208, 1216; pull requests 1209 and 1215 are open):
 * - a transaction whose connection is lost in the middle of a query ends the whole process with a TypeError;
 * - a connection lost with bytes waiting never sends again, and each query on it fails after ten seconds;
 * - a transaction that outlives its connection continues in whatever transaction uses that connection next, and its
 * rollback undoes that one's work;
 * - a connection lost while it is being set up leaves an unhandled rejection, which ends the process.
 * So the source is patched while it is loaded. The lockfile pins the version; another version fails here at once.
 */
const MENDS: Readonly<Record<string, readonly Mend[]>> = {
  '/postgres/src/connection.js': [
    // Bytes for a closed socket are discarded, and the timer that would send them is freed.
    [
      '    clearImmediate(nextWriteTimer)\n',
      2,
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
    ],
    [
      '  function nextWrite(fn) {\n',
      1,
      `  function nextWrite(fn) {
    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
`,
    ],
    // Queries of the lost connection are answered now, so that none is left for the next connection.
    [
      "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      1,
      `    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options))
    query = results = errorResponse = stream = null
    result = new Result()
    rows = 0
`,
    ],
    // A connection lost while it reads the types of arrays: its caller gets the error, nobody else waits.
    ['        return fetchArrayTypes()\n', 1, '        return fetchArrayTypes().catch(() => {})\n'],
    // Lets the holder of a connection over several queries notice that the connection has changed.
    [
      '    count: 0,\n    id\n  }\n',
      1,
      `    count: 0,
    lives: 0,
    refuse(q) { queryError(q, Errors.connection('CONNECTION_CLOSED', options)) },
    id
  }
`,
    ],
  ],
  '/postgres/src/index.js': [
    ['    move(c, closed)\n', 1, '    c.lives++\n    move(c, closed)\n'],
    // A reserved connection. A caller whose reservation failed must not receive one later.
    [
      '        const query = { reserve: resolve, reject }\n',
      1,
      '        const query = { reserve: resolve, reject(e) { queries.remove(query), reject(e) } }\n',
    ],
    [
      '    move(c, reserved)\n    c.reserved = () => queue.length\n',
      1,
      `    const life = c.lives
    move(c, reserved)
    c.reserved = () => queue.length
`,
    ],
    [
      '      c.reserved = null\n      onopen(c)\n',
      1,
      `      if (c.lives !== life) return
      c.reserved = null
      onopen(c)
`,
    ],
    [
      '    function handler(q) {\n      c.queue === full\n',
      1,
      `    function handler(q) {
      if (c.lives !== life) return c.refuse(q)
      c.queue === full
`,
    ],
    // A transaction.
    [
      '      , connection\n      , prepare = null\n',
      1,
      '      , connection\n      , life\n      , prepare = null\n',
    ],
    ['      connection = c\n', 1, '      connection = c\n      life = c.lives\n'],
    [
      '        c.queue === full\n          ? queries.push(q)\n',
      1,
      `        if (c.lives !== life) return c.refuse(q)
        c.queue === full
          ? queries.push(q)
`,
    ],
  ],
}

function mend(source: string, mends: readonly Mend[]): string {
  return mends.reduce((text, [found, times, put]) => {
    const parts = text.split(found)
    if (parts.length !== times + 1)
      throw new Error('The database driver is not the version that this product was tested with.')
    return parts.join(put)
  }, source)
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const [, mends] = Object.entries(MENDS).find(([file]) => url.endsWith(file)) ?? []
    if (!mends || !loaded.source) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    return { ...loaded, source: mend(source, mends) }
  },
})
/** The patched driver. */
export const { default: driver } = await import('postgres')
hooks.deregister()
