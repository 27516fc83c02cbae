import { relative, sep } from 'node:path'
import { findBreach, resolveImport } from './zones.ts'

// The project's own lint rules, which oxlint loads (.oxlintrc.json). The API is that of ESLint; these are the
// parts that the rules use.
interface Node {
  type: string
  name?: string
  value?: unknown
  [child: string]: unknown
}
interface Context {
  filename: string
  cwd: string
  report(problem: { node: Node; message: string }): void
}

/** A rule that refuses imports between folders that are not allowed (see `zones.ts`). */
const zones = {
  create(context: Context) {
    const from = relative(context.cwd, context.filename).split(sep).join('/')
    const check = (node: Node) => {
      const source = node.source as Node | null
      if (typeof source?.value !== 'string') return
      const to = resolveImport(from, source.value)
      const because = to && findBreach(from, to)
      if (because) context.report({ node: source, message: `${because}: ${from} may not import ${to}` })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    }
  },
}

/**
 * A rule that detects `process.env` in every form. The rule in the node plugin misses an imported `process`.
 */
const noEnvironment = {
  create(context: Context) {
    const message =
      'only apps/server/src/config.ts reads the environment: take the value from the configuration'
    return {
      MemberExpression(node: Node) {
        const object = node.object as Node
        const owner = object.type === 'MemberExpression' ? (object.property as Node) : object
        if ((node.property as Node).name === 'env' && owner.name === 'process')
          context.report({ node, message })
      },
      VariableDeclarator(node: Node) {
        const names = ((node.id as Node).properties as Node[] | undefined)?.map(
          ({ key }) => (key as Node | undefined)?.name,
        )
        if ((node.init as Node | null)?.name === 'process' && names?.includes('env'))
          context.report({ node, message })
      },
      ImportSpecifier(node: Node) {
        const source = (node.parent as Node).source as Node
        const isProcess = source.value === 'node:process' || source.value === 'process'
        if (isProcess && (node.imported as Node).name === 'env') context.report({ node, message })
      },
    }
  },
}

export default { meta: { name: 'pegasus' }, rules: { zones, 'no-environment': noEnvironment } }
