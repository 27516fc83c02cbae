import { useQuery } from '@tanstack/react-query'
import { ScrollText, X } from 'lucide-react'
import { FilterBar } from '@/components/filter-bar.tsx'
import { appliedFilters, readControls, useAddressFilters } from '@/components/kit/list-filters.tsx'
import { ListStates } from '@/components/kit/list-page.tsx'
import { useList } from '@/lib/http/use-list.ts'
import { auditListQuery, actorsQuery } from './audit.queries.ts'
import { NO_FILTERS, readFilters, readOpenEntry, withFilters, withOpenEntry } from './audit-address.ts'
import { AuditFields, AuditSearch, auditFilters } from './audit-fields.tsx'
import { actorName, thingName } from './audit-names.ts'
import { EntryList, EntryListSkeleton } from './entry-list.tsx'
import { ExportButton } from './export-button.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

const TEXTS = {
  name: t('The audit'),
  one: 'entry' as const,
  loading: t('Loading the audit log'),
  noMatches: t('No entries found'),
}

/**
 * The audit log, with the actor, time and origin of each change. The URL contains the filters and the open
 * entry.
 */
export function AuditPage() {
  const { params, setParams, filters, onApply } = useAddressFilters(readFilters, withFilters)
  const data = useList(auditListQuery(filters))
  const { items, count, isEmpty } = data
  const { data: people = [] } = useQuery(actorsQuery)
  const actor = { id: filters.actor, name: actorName(filters.actor, { people, items }) }
  const thing = thingName(filters.about, items)
  const fields = auditFilters(actor, thing)
  return (
    <>
      <h1 className="sr-only">{t('Audit')}</h1>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) => onApply(readControls(fields, field))}
        count={count}
        one={TEXTS.one}
        search={<AuditSearch search={filters.search} />}
        applied={[filters.group, filters.actor, filters.from, filters.to].filter(Boolean).length}
        onClear={() => onApply({ ...NO_FILTERS, search: filters.search, about: filters.about })}
        actions={<ExportButton filters={filters} isDisabled={isEmpty} />}
      >
        <AuditFields filters={filters} people={people} actor={actor} />
      </FilterBar>
      {filters.about ? (
        <p className="-mt-1 mb-3">
          <button
            type="button"
            aria-label={t('About {thing}: show all entries', { thing })}
            onClick={() => onApply({ about: '' })}
            className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pe-2 ps-3 text-label font-medium text-accent-ink phone:min-h-11 touch:min-h-11"
          >
            <span className="truncate">{rich('About {thing}', { thing: <bdi>{thing}</bdi> })}</span>
            <X size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          </button>
        </p>
      ) : null}
      <ListStates
        data={data}
        texts={TEXTS}
        rows={{
          skeleton: <EntryListSkeleton />,
          render: (shown) => (
            <EntryList
              {...shown}
              openId={readOpenEntry(params)}
              onOpen={(id) =>
                setParams(withOpenEntry(params, id), { replace: true, preventScrollReset: true })
              }
              onFilter={(change) => onApply({ ...NO_FILTERS, ...change })}
            />
          ),
        }}
        empty={{
          icon: ScrollText,
          title: t('No activity yet'),
          text: t(
            'Sign-ins, refusals, and changes of people, roles and keys are listed here, each with who did it, when and from where.',
          ),
        }}
        applied={appliedFilters(fields, filters, onApply)}
        onClearAll={() => onApply(NO_FILTERS)}
      />
    </>
  )
}
