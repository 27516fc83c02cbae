import { readFileSync } from 'node:fs'
import { inProject } from '../boot/project.mjs'

/** A package that the lockfile installs. */
export interface LockedPackage {
  name: string
  version: string
  /** The license that the package declares, as an SPDX expression; null if it declares none. */
  license: string | null
  /** The hash of the package's archive: `sha512-`, followed by base64. */
  integrity: string
  /** Whether the package is needed only for building and testing. */
  isDev: boolean
}

interface LockEntry {
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dev?: boolean
}

const FOLDER = 'node_modules/'

/**
 * Returns all packages of the lockfile, each version once, sorted by name and version. Leaves out our own workspaces.
 */
export function readLockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  const found = new Map<string, LockedPackage>()
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes(FOLDER) || entry.link) continue
    const name = entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
    const key = `${name}@${entry.version}`
    const isDev = entry.dev === true && (found.get(key)?.isDev ?? true)
    found.set(key, {
      name,
      version: entry.version ?? '',
      license: entry.license ?? null,
      integrity: entry.integrity ?? '',
      isDev,
    })
  }
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

const purlOf = ({ name, version }: LockedPackage): string =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`

const hashOf = (integrity: string): string =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')

/**
 * Returns the list of all packages that the server needs at run time, as a CycloneDX document. The same lockfile always
 * gives the same document.
 */
export function billOfMaterials(
  product: { name: string; version: string },
  packages: readonly LockedPackage[],
) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': product.name, ...product } },
    components: packages
      .filter(({ isDev }) => !isDev)
      .map((each) => ({
        type: 'library',
        'bom-ref': purlOf(each),
        name: each.name,
        version: each.version,
        purl: purlOf(each),
        hashes: [{ alg: 'SHA-512', content: hashOf(each.integrity) }],
        ...(each.license !== null && { licenses: [{ expression: each.license }] }),
      })),
  }
}
