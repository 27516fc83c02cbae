import { hasRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelUses } from '@pegasus/contracts/stl-library/model-changes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { CardState } from '@/components/card-state.tsx'
import type { ModelAddresses } from '../stl-library-page.tsx'
import { usesQuery } from '../model-forms/model-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Lists the items, print jobs and products that are made from the model. */
export function UsesCard({ model, addresses }: { model: Model; addresses: ModelAddresses }) {
  const uses = useQuery(usesQuery(model.id))
  const { role } = useCurrentUser()
  return (
    <Card title={t('Where it is used')} aside={uses.data ? countLine(uses.data) : null}>
      <CardState
        error={t('Where it is used could not be loaded.')}
        loading={t('Where it is used: loading')}
        query={uses}
      />
      {uses.data ? <Uses uses={uses.data} addresses={addresses} /> : null}
      {hasRole(role, 'staff') && model.deleted_at === null ? (
        <p className="border-t border-line px-4 py-2.5">
          <Link to={addresses.make(model.id)} className="link">
            {t('Make a product')}
          </Link>
        </p>
      ) : null}
    </Card>
  )
}

function countLine({ items, products, print_jobs: jobs }: ModelUses): string | null {
  const parts = [
    items.length > 0 && t('{items, plural, one {# item} other {# items}}', { items: items.length }),
    products.length > 0 &&
      t('{products, plural, one {# product} other {# products}}', { products: products.length }),
    jobs.length > 0 && t('{jobs, plural, one {# job} other {# jobs}}', { jobs: jobs.length }),
  ].filter((part) => part !== false)
  return joinFacts(parts) || null
}

interface UsesProps {
  uses: ModelUses
  addresses: ModelAddresses
}

function Uses({ uses: { items, products, print_jobs: jobs }, addresses }: UsesProps) {
  if (items.length + products.length + jobs.length === 0)
    return <p className="px-4 py-3 text-ink-3">{t('Nothing uses this model yet.')}</p>
  return (
    <ul className="max-h-96 divide-y divide-line overflow-y-auto">
      {items.map(({ id, name, sku, quantity }) => (
        <Use key={id} to={addresses.item(id)} kind="Inventory" name={name} code={sku}>
          <strong className="font-semibold">{formatCount(quantity)}</strong>{' '}
          <span className="text-ink-3">{t('in stock')}</span>
        </Use>
      ))}
      {products.map(({ id, name, slug, status }) => (
        <Use key={id} to={addresses.product(id)} kind="Product" name={name} code={slug}>
          <StatusBadge status={status} />
        </Use>
      ))}
      {/* Jobs of the same version and status are one row, which opens the newest. */}
      {[...Map.groupBy(jobs, ({ status, version }) => `${status} ${version}`).values()].map((alike) => {
        const [newest] = alike
        if (!newest) return null
        const { id, status, version } = newest
        const pieces = alike.reduce((sum, { quantity }) => sum + quantity, 0)
        return (
          <Use
            key={id}
            to={addresses.job(id)}
            kind={
              alike.length > 1
                ? t('{alike, plural, one {# print job} other {# print jobs}}', { alike: alike.length })
                : t('Print job')
            }
            name={`${formatCount(pieces)} × ${version === null ? t('this model') : t('version {version}', { version })}`}
          >
            <StatusBadge status={status} />
          </Use>
        )
      })}
    </ul>
  )
}

interface UseProps {
  to: string
  kind: string
  name: string
  code?: string
  children: ReactNode
}

const Use = ({ to, kind, name, code, children }: UseProps) => (
  <li className="relative flex min-h-14 items-center gap-4 px-4 py-2 hover:bg-hover">
    <div className="min-w-0 flex-1">
      <Link to={to} className="block truncate font-medium after:absolute after:inset-0" title={name}>
        <bdi className="block truncate">{name}</bdi>
      </Link>
      {code ? <p className="code truncate text-caption text-ink-3">{code}</p> : null}
    </div>
    <span className="w-24 shrink-0 text-label text-ink-2 phone:hidden">{kind}</span>
    <span className="min-w-28 shrink-0 text-end">{children}</span>
  </li>
)
