import type { AuditEntry } from '@pegasus/contracts/audit'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { formatExactTime } from '@/lib/format/format.ts'
import type { AuditFilters } from './audit-address.ts'
import { changedFields } from './audit-values.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const KINDS = { user: t('person'), api_key: t('API key'), system: t('the product itself') } as const

interface EntryDetailsProps {
  id: string
  entry: AuditEntry
  onFilter: (change: Partial<AuditFilters>) => void
}

/** All recorded details of an entry, with links to related entries. */
export function EntryDetails({ id, entry, onFilter }: EntryDetailsProps) {
  const { actor, entity_id: entityId, entity_name: entityName } = entry
  return (
    <div
      id={id}
      className="grid gap-x-8 gap-y-4 border-t border-line bg-bg px-4 py-3.5 lg:grid-cols-2 sm:ps-31"
    >
      <dl className="grid grid-cols-[76px_minmax(0,1fr)] content-start gap-x-3 gap-y-1.5 text-label [&>dt]:text-ink-3 [&>dd]:wrap-anywhere">
        <Fact label={t('When')}>
          <time dateTime={entry.at}>{formatExactTime(entry.at)}</time>
        </Fact>
        <Fact label={t('Who')}>
          <bdi>{actor.name}</bdi>
          <span className="text-ink-3">
            {' '}
            · {actor.id === null && actor.kind === 'user' ? t('unknown') : KINDS[actor.kind]}
          </span>
        </Fact>
        <Fact label={t('From')}>{entry.ip}</Fact>
        <Fact label={t('Request')}>{entry.request_id ? <Code>{entry.request_id}</Code> : null}</Fact>
        <Fact label={t('Action')}>
          <Code>{entry.action}</Code>
        </Fact>
        <Fact label={t('About')}>
          {entityName ? <bdi className="block">{entityName}</bdi> : null}
          <Code>{[entry.entity, entityId].filter(Boolean).join(' ')}</Code>
        </Fact>
      </dl>
      <div className="min-w-0">
        <Changes entry={entry} />
        <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
          {actor.id ? (
            <Button size="sm" onClick={() => onFilter({ actor: actor.id ?? '' })} className="max-w-full">
              <span className="truncate">{rich('All by {name}', { name: <bdi>{actor.name}</bdi> })}</span>
            </Button>
          ) : null}
          {entityId && entityId !== actor.id ? (
            <Button size="sm" onClick={() => onFilter({ about: entityId })} className="max-w-full">
              <span className="truncate">
                {rich('All about {entityName}', { entityName: <bdi>{entityName ?? entityId}</bdi> })}
              </span>
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children ?? <span className="text-ink-3">{t('not known')}</span>}</dd>
  </>
)

const Code = ({ children }: { children: string }) => (
  <code className="font-mono text-caption">{children}</code>
)

function Changes({ entry }: { entry: AuditEntry }) {
  const fields = changedFields(entry)
  if (fields.length === 0)
    return <p className="text-label text-ink-3">{t('No changed fields were recorded.')}</p>
  const hasBefore = entry.before !== null
  return (
    <table className="w-full table-fixed text-start text-label">
      <thead className="text-caption text-ink-3">
        <tr className="[&>th]:pe-3 [&>th]:pb-1 [&>th]:font-medium">
          <th scope="col">{t('Field')}</th>
          {hasBefore ? <th scope="col">{t('Before')}</th> : null}
          <th scope="col">{hasBefore ? t('After') : t('Value')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ label, before, after }) => (
          <tr
            key={label}
            className="border-t border-line align-top [&>*]:py-1 [&>*]:pe-3 [&>*]:wrap-anywhere"
          >
            <th scope="row" className="font-normal text-ink-2">
              {label}
            </th>
            {hasBefore ? <td>{before === null ? <Nothing /> : <bdi>{before}</bdi>}</td> : null}
            <td>{after === null ? <Nothing /> : <bdi>{after}</bdi>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Nothing = () => <span className="text-ink-3">–</span>
