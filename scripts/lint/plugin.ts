import { relative, sep } from 'node:path'
import { findBreach, resolveImport } from './zones.ts'

// The project's own lint rules, which oxlint loads (.oxlintrc.json). oxlint uses the API of ESLint. The types below are
// the parts of this API that the rules need.
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
 * Reports `process.env` in every form, also if `process` is imported, which the rule of the node plugin does not
 * notice.
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

const TEXT_ATTRIBUTES =
  /^(?:aria-label|title|label|placeholder|alt|hint|description|text|name|level|aside|error|loading|any|clearLabel)$/
const isText = (value: unknown): boolean =>
  typeof value === 'string' && /(?<![a-z])[A-Z][a-z]|[a-z] [a-z]/.test(value)

/** Reports texts that people see but that cannot be translated (record 63). */
const texts = {
  create(context: Context) {
    const message = "wrap the text in t('…') of lib/i18n/messages.ts, so that it can be translated"
    return {
      JSXText(node: Node) {
        if (/[A-Za-z]{2}/.test(String(node.value))) context.report({ node, message })
      },
      JSXAttribute(node: Node) {
        const value = node.value as Node | null
        const isPlain = value?.type === 'Literal' && isText(value.value)
        if (isPlain && TEXT_ATTRIBUTES.test(String((node.name as unknown as Node).name)))
          context.report({ node, message })
      },
      CallExpression(node: Node) {
        const [first] = node.arguments as Node[]
        const isCall = ['t', 'rich'].includes((node.callee as Node).name ?? '')
        if (isCall && first?.type !== 'Literal')
          context.report({
            node,
            message: 'write the whole message here, so that the catalogs can be checked',
          })
      },
    }
  },
}

export default { meta: { name: 'pegasus' }, rules: { zones, 'no-environment': noEnvironment, texts } }
