import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { useListEscape } from '@/components/use-list-escape.ts'
import { cx } from '@/lib/class-names.ts'
import { modelsQuery } from '@/lib/http/model-queries.ts'
import { itemsToPickQuery } from './part-picker.queries.ts'
import { type Printable, printableItem, printableModel } from './printable-models.ts'

const MODELS_OFFERED = 5
const FLOATING =
  'absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float'

interface PartPickerProps {
  part: Printable | null
  onChange: (part: Printable | null) => void
}

/** What to print: an item or a model, found by a few letters. Inside a Field. */
export const PartPicker = ({ part, onChange }: PartPickerProps) =>
  part ? <Chosen part={part} onClear={() => onChange(null)} /> : <Finder onChoose={onChange} />

const Chosen = ({ part, onClear }: { part: Printable; onClear: () => void }) => (
  <div className="flex min-h-[58px] items-center gap-3 rounded-control border border-control bg-surface p-1.5 pr-2.5">
    <Part part={part} />
    <IconButton label="Choose another" size="sm" onClick={onClear}>
      <X size={16} strokeWidth={1.75} aria-hidden />
    </IconButton>
  </div>
)

const Part = ({ part }: { part: Printable }) => (
  <>
    <PartPicture src={part.picture} tint={part.tint} className="size-11" />
    <span className="min-w-0 flex-1">
      <bdi className="block truncate text-left font-medium" title={part.name}>
        {part.name}
      </bdi>
      <span className="block truncate text-caption text-ink-3">{part.caption}</span>
    </span>
  </>
)

function Finder({ onChoose }: { onChoose: (part: Printable) => void }) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const listId = useId()
  const search = useDeferredValue(text.trim())
  const items = useQuery({ ...itemsToPickQuery(search), enabled: isOpen })
  const models = useQuery({ ...modelsQuery({ search, limit: MODELS_OFFERED }), enabled: isOpen })
  const groups = [
    { name: 'Items in stock', parts: (items.data?.items ?? []).map(printableItem) },
    { name: 'Models', parts: (models.data?.items ?? []).map(printableModel) },
  ].filter(({ parts }) => parts.length > 0)
  const offered = isOpen ? groups.flatMap(({ parts }) => parts) : []
  const isNothing = isOpen && offered.length === 0 && items.isSuccess && models.isSuccess
  useListEscape(isOpen, () => setIsOpen(false))

  /** Enter was quicker than the answer: what is found first is meant. A failure shows where the list does. */
  const chooseFirst = async (sought: string) => {
    const [found, known] = await Promise.allSettled([
      client.fetchQuery(itemsToPickQuery(sought)),
      client.fetchQuery(modelsQuery({ search: sought, limit: MODELS_OFFERED })),
    ])
    // Something else was typed meanwhile, or chosen, which takes the field away.
    if (field.current?.value.trim() !== sought) return
    const item = found.status === 'fulfilled' ? found.value.items[0] : undefined
    const model = known.status === 'fulfilled' ? known.value.items[0] : undefined
    if (item) onChoose(printableItem(item))
    else if (model) onChoose(printableModel(model))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((now) => Math.max(0, Math.min(offered.length - 1, now + step)))
    } else if (event.key === 'Enter' && isOpen) {
      // Enter sends the dialog around it only once something is chosen.
      event.preventDefault()
      const chosen = offered[active]
      if (chosen && search === text.trim()) onChoose(chosen)
      else void chooseFirst(text.trim())
    }
  }
  return (
    <div className="relative">
      <Input
        ref={field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-activedescendant={offered[active] ? `${listId}-${active}` : undefined}
        value={text}
        maxLength={200}
        autoComplete="off"
        autoFocus
        placeholder="Find an item by name or SKU, or a model"
        icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          setIsOpen(true)
        }}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={handleKey}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Found"
        className={cx(
          // Over what stands below: a button that moves while it is pressed is missed.
          FLOATING,
          offered.length === 0 && 'hidden',
        )}
      >
        {groups.map(({ name, parts }) => (
          <div key={name} role="group" aria-label={name}>
            <p className="px-2 pt-1.5 pb-1 text-caption text-ink-3" aria-hidden>
              {name}
            </p>
            {parts.map((part) => {
              const index = offered.indexOf(part)
              return (
                <div
                  key={part.id}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // Before the field loses the focus, which would close the list.
                  onMouseDown={(event) => {
                    event.preventDefault()
                    onChoose(part)
                  }}
                  onMouseMove={() => setActive(index)}
                  className={cx(
                    'flex cursor-pointer items-center gap-3 rounded-control p-1.5',
                    index === active && 'bg-hover',
                  )}
                >
                  <Part part={part} />
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {isNothing ? (
        <p role="status" className={cx(FLOATING, 'px-3! py-2! text-label text-ink-2')}>
          {search === '' ? (
            'There are no items and no models yet.'
          ) : (
            <>
              No item and no model matches <bdi className="font-medium">“{search}”</bdi>.
            </>
          )}
        </p>
      ) : null}
    </div>
  )
}
