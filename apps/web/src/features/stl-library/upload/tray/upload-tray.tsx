import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { ImportLine } from './import-line.tsx'
import { importsQuery, useDropImports } from '../imports/imports.queries.ts'
import { phaseOf, summarize, type TrayItem, trayItems } from './tray-items.ts'
import { UploadLine } from './upload-line.tsx'
import { useUploadJobs, useUploads } from '../uploads-context.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Maximum number of models that the tray watches until they are measured. The library shows the state of the
 * others.
 */
const MAX_FOLLOWED = 24

interface UploadTrayProps {
  /** True if imports that other pages started are shown too. */
  showsEarlier: boolean
  modelAddress: (id: string) => string
}

/** Shows running uploads and their results, in a tray in the corner. On phones it is a sheet at the bottom. */
export function UploadTray({ showsEarlier, modelAddress }: UploadTrayProps) {
  const { queue, opened } = useUploads()
  const jobs = useUploadJobs()
  const imports = useQuery(importsQuery)
  const nowMs = useNow()
  const items = trayItems(jobs, imports.data ?? [], { areShown: showsEarlier, nowMs })
  const { isOpen, toggle } = useIsOpen(items, jobs.at(-1)?.id)
  const listId = useId()
  const toggleRef = useRef<HTMLButtonElement>(null)
  const listRef = useActiveInSight(items)
  // The functions are stable, so that unchanged lines are not rendered again.
  const focusToggle = useCallback(() => toggleRef.current?.focus(), [])
  if (items.length === 0) return null
  const { title, failure, detail, announcement } = summarize(items)
  return (
    <aside
      aria-label={t('Uploads')}
      className="order-1 ms-auto flex w-96 animate-rise flex-col overflow-hidden rounded-card border border-line-2 bg-surface shadow-float phone:ms-0 phone:w-auto phone:rounded-b-none phone:rounded-t-sheet phone:border-x-0"
    >
      <header className="flex min-h-11 items-center gap-2 py-1 pe-2 ps-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          {title}
          {title && failure ? ' · ' : null}
          {failure ? <span className="text-red-ink">{failure}</span> : null}
          {title || failure ? null : t('Uploads')}
        </h2>
        {detail ? <span className="shrink-0 text-label text-ink-3">{detail}</span> : null}
        <IconButton
          ref={toggleRef}
          size="sm"
          label={isOpen ? t('Minimize uploads') : t('Show uploads')}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={toggle}
        >
          {isOpen ? (
            <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
          ) : (
            <ChevronUp size={16} strokeWidth={1.75} aria-hidden />
          )}
        </IconButton>
      </header>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div id={listId} hidden={!isOpen} className="border-t border-line">
        <ul
          ref={listRef}
          aria-label={t('Uploads')}
          className="max-h-[min(420px,56dvh)] divide-y divide-line overflow-y-auto phone:max-h-[44dvh] phone:in-[[data-dock]:has([aria-label=Selection])]:max-h-[20dvh]"
        >
          {items.map((item, index) => {
            const shared = { isFollowed: index < MAX_FOLLOWED, modelAddress, onGone: focusToggle }
            return item.known ? (
              <ImportLine
                key={item.key}
                known={item.known}
                knownAtMs={imports.dataUpdatedAt}
                onOpen={opened.open}
                {...shared}
              />
            ) : (
              <UploadLine key={item.key} job={item.job} queue={queue} {...shared} />
            )
          })}
        </ul>
        <ClearButton items={items} onGone={focusToggle} />
      </div>
    </aside>
  )
}

/** A button that removes finished lines. Failed lines stay as long as there are other lines. */
function ClearButton({ items, onGone }: { items: readonly TrayItem[]; onGone: () => void }) {
  const { queue } = useUploads()
  const drop = useDropImports()
  const good = items.filter((item) => ['done', 'cancelled'].includes(phaseOf(item)))
  const over = good.length > 0 ? good : items.filter((item) => phaseOf(item) === 'failed')
  if (over.length === 0) return null
  const clear = () => {
    onGone()
    for (const { job } of over) if (job) queue.remove(job.id)
    const ended = over.flatMap(({ known }) => (known ? [known.id] : []))
    if (ended.length > 0) drop.mutate(ended)
  }
  return (
    <div className="flex justify-end border-t border-line px-2 py-1.5">
      <Button size="sm" variant="ghost" onClick={clear}>
        {good.length > 0 ? t('Clear finished') : t('Clear failed')}
      </Button>
    </div>
  )
}

/**
 * Returns whether the tray is open. A person's choice holds until something new is added. By default, the
 * tray is open if it contains uploads of this page. On a phone, where it covers half of the page, it is open
 * only while an upload is running.
 */
function useIsOpen(items: readonly TrayItem[], lastAdded: string | undefined) {
  const isPhone = useIsPhone()
  const [choice, setChoice] = useState<{ isOpen: boolean; lastAdded: string | undefined } | null>(null)
  const own = items.filter(({ job }) => job !== null)
  const byItself = isPhone ? own.some((item) => phaseOf(item) !== 'done') : own.length > 0
  const isOpen = choice?.lastAdded === lastAdded && choice ? choice.isOpen : byItself
  return { isOpen, toggle: () => setChoice({ isOpen: !isOpen, lastAdded }) }
}

/** Scrolls the current file into view, unless the person is using the list. */
function useActiveInSight(items: readonly TrayItem[]) {
  const list = useRef<HTMLUListElement>(null)
  const firstActive = items.find((item) => phaseOf(item) === 'active')?.key
  const scroll = useEffectEvent(() => {
    const element = list.current
    if (!element || element.matches(':hover, :focus-within')) return
    const line = element.querySelector<HTMLElement>('[data-active]')
    if (line) element.scrollTop = line.offsetTop - element.offsetTop
  })
  useEffect(() => {
    if (firstActive) scroll()
  }, [firstActive])
  return list
}
