import { readFileSync, writeFileSync } from 'node:fs'
import { inProject, say } from '../boot/project.mjs'
import { billOfMaterials, readLockedPackages } from '../lib/bill-of-materials.ts'

const [file = 'sbom.json'] = process.argv.slice(2)
const { name, version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as {
  name: string
  version: string
}
const document = billOfMaterials({ name, version }, readLockedPackages())
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
say(`wrote ${file}: ${document.components.length} packages (CycloneDX ${document.specVersion})`)
