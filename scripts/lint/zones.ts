import { posix } from 'node:path'

// Rules about which folders may import which others (docs/architecture.md, "How it fits together"). The rules name
// folders, not modules, so they also apply to new modules and features.

interface Fence {
  /** The rule applies to files whose paths begin with one of these texts. */
  from: readonly string[]
  /** These files must not import files whose paths begin with one of these texts. */
  never: readonly string[]
  because: string
}

const MODULES = 'apps/server/src/modules/'
const FEATURES = 'apps/web/src/features/'

const FENCES: readonly Fence[] = [
  { from: ['packages/'], never: ['apps/', 'e2e/', 'bench/', 'scripts/'], because: 'a package knows no app' },
  { from: ['apps/server/'], never: ['apps/web/'], because: 'the server knows no web app' },
  {
    from: ['apps/web/'],
    never: ['apps/server/'],
    because: 'the web app knows the server by its contracts only',
  },
  {
    from: ['apps/server/src/platform/'],
    never: [MODULES, 'apps/server/src/app.ts', 'apps/server/src/main.ts'],
    because: 'platform knows no module',
  },
  {
    from: [
      'apps/server/src/modules/',
      'apps/server/src/platform/',
      'apps/server/src/app.ts',
      'apps/server/src/bootstrap.ts',
      'apps/server/src/main.ts',
    ],
    never: ['apps/server/demo/'],
    because: 'the data of the demo is loaded only when a demo is made',
  },
  {
    from: [MODULES],
    never: ['apps/server/src/app.ts', 'apps/server/src/main.ts'],
    because: 'a module does not know who assembles it',
  },
  {
    from: ['apps/web/src/app/'],
    never: ['apps/web/src/routes/'],
    because: 'routes are built on the app shell, never the other way round',
  },
  {
    from: ['apps/web/src/components/', 'apps/web/src/lib/'],
    never: [FEATURES, 'apps/web/src/routes/', 'apps/web/src/app/'],
    because: 'components and lib know no feature',
  },
  {
    from: [FEATURES],
    never: ['apps/web/src/routes/', 'apps/web/src/app/'],
    because: 'a feature does not know the routes that compose it',
  },
]

/** Folders whose subfolders may not import each other. The only exception is the file `face` of a subfolder. */
const STRANGERS = [
  { folder: MODULES, face: 'index.ts', because: 'a module uses another one through its index.ts only' },
  { folder: FEATURES, face: null, because: 'a feature never imports a feature: the route composes them' },
]

/**
 * The layers of modules that are divided into folders, the lowest layer first. A file may import files from its own
 * folder and from lower layers.
 */
const LADDERS: readonly { folder: string; rungs: readonly (readonly string[])[] }[] = [
  {
    folder: `${MODULES}auth/`,
    rungs: [
      ['audit', 'rate-limit'],
      ['accounts'],
      ['passwords', 'sessions', 'webauthn'],
      ['take-over'],
      ['mail-links'],
      ['phone'],
      ['second-factor'],
      ['own-account', 'sign-in', 'sign-in-rules', 'admin'],
      ['identities'],
      ['web3', 'oauth', 'passkeys', 'phone-sign-in', 'hosted-project'],
      ['saml'],
      ['hosted'],
      ['oauth-clients'],
      ['hosted-admin'],
    ],
  },
]

/** The layers within a module. Imports go only from routes to services to queries. */
const LAYERS = ['.routes.ts', '.service.ts', '.queries.ts']

/**
 * Returns the reason why the file `from` must not import the file `to`, or null if it may. Both are paths relative to
 * the project's folder.
 */
export function findBreach(from: string, to: string): string | null {
  const fence = FENCES.find((each) => startsWithAny(from, each.from) && startsWithAny(to, each.never))
  return (
    fence?.because ??
    findStrangerBreach(from, to) ??
    findLadderBreach(from, to) ??
    findLayerBreach(from, to) ??
    findTestBreach(from, to)
  )
}

function findStrangerBreach(from: string, to: string): string | null {
  for (const { folder, face, because } of STRANGERS) {
    if (!from.startsWith(folder) || !to.startsWith(folder)) continue
    const [ownName] = from.slice(folder.length).split('/')
    const [otherName, ...rest] = to.slice(folder.length).split('/')
    if (ownName !== otherName && rest.join('/') !== face) return because
  }
  return null
}

/**
 * Returns the reason why an import breaks the order of the layers, or null. Files next to the folders of a module may
 * import from all layers, because they connect the folders.
 */
function findLadderBreach(from: string, to: string): string | null {
  for (const { folder, rungs } of LADDERS) {
    if (!from.startsWith(folder) || !to.startsWith(folder) || from.endsWith('.test.ts')) continue
    const folderOf = (path: string) => path.slice(folder.length).split('/').slice(0, -1)[0]
    const [own, other] = [folderOf(from), folderOf(to)]
    if (own === other) continue
    const rungOf = (name: string | undefined) => {
      const rung = rungs.findIndex((names) => name !== undefined && names.includes(name))
      return rung === -1 ? rungs.length : rung
    }
    if (rungOf(other) >= rungOf(own)) return 'within a module a folder uses those below it only'
  }
  return null
}

function findLayerBreach(from: string, to: string): string | null {
  if (!from.startsWith(MODULES) || !to.startsWith(MODULES)) return null
  const layerOf = (path: string) => LAYERS.findIndex((ending) => path.endsWith(ending))
  if (layerOf(from) === -1 || layerOf(to) === -1) return null
  if (layerOf(to) < layerOf(from)) return 'the arrows go routes → service → queries'
  if (from.endsWith('.routes.ts') && to.endsWith('.routes.ts'))
    return 'routes do not import routes: what both need has its own file'
  if (from.endsWith('.routes.ts') && to.endsWith('.queries.ts'))
    return 'a handler asks a service, and no database'
  return null
}

function findTestBreach(from: string, to: string): string | null {
  const isTest =
    from.includes('/test/') || /\.test\.tsx?$/.test(from) || !startsWithAny(from, ['apps/', 'packages/'])
  return !isTest && /^(apps|packages)\/[^/]+\/test\//.test(to) ? 'the product never imports its tests' : null
}

/** Returns the path of an imported file, relative to the project's folder; null for a package. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith('@/')) return `apps/web/src/${specifier.slice(2)}`
  const [, name, subpath] = /^@pegasus\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name && subpath ? `packages/${name}/src/${subpath}.ts` : null
}

function startsWithAny(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning))
}
