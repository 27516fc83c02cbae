import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { IconButton } from '../ui/actions/icon-button.tsx'
import { ColorDot } from '../ui/display/color-dot.tsx'
import { PartPicture } from '../ui/display/part-picture.tsx'
import { Input } from '../ui/forms/input.tsx'
import { comboboxProps, useListEscape } from '../fields/combobox.ts'

/** The data of an entity that a picker shows. */
export interface PickedEntity {
  id: string
  name: string
  /** Shown below the name of the entity. */
  caption?: string
  picture: string | null
  tint?: string | null
  /** Color of a filament, shown instead of a picture: `#RRGGBB`, or null if unknown. */
  swatch?: string | null
}

export interface PickerGroup<Thing> {
  /** Heading of the group; absent if there is only one group. */
  name?: string
  things: readonly Thing[]
}

/** The state of a picker's text. Search for `search` while `isOpen`, and pass the results to the EntityPicker. */
export function usePickerSearch() {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  return { text, setText, isOpen, setIsOpen, search: useDeferredValue(text.trim()) }
}

interface EntityPickerProps<Thing extends PickedEntity> {
  picker: ReturnType<typeof usePickerSearch>
  chosen: Thing | null
  onChange: (thing: Thing | null) => void
  /** The results of the search. */
  groups: readonly PickerGroup<Thing>[]
  /** True if the search has succeeded. An empty result then means that nothing matches. */
  isFound: boolean
  /** Shown if no entity matches the typed text. */
  nothingFound: ReactNode
  /** Returns the first match for a text. Called when Enter is pressed before the results have arrived. */
  findFirst?: (text: string) => Promise<Thing | undefined>
  placeholder: string
  /** Name of the list for screen readers: `Models found`. */
  listLabel: string
  /** Name of the button that removes the choice. */
  clearLabel: string
  /** True if the field gets the focus and opens immediately, as the first field of a dialog does. */
  isFirst?: boolean
  /** True to show the chosen entity without a caption, so that it is as high as other fields. */
  isCompact?: boolean
}

const FLOATING =
  'absolute inset-x-0 top-full z-10 mt-1 max-h-72 min-w-64 overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float'

/**
 * Searches for an entity by a part of its name, and picks it. It can be operated with the arrow keys and
 * Enter. Put it inside a Field.
 */
export const EntityPicker = <Thing extends PickedEntity>(props: EntityPickerProps<Thing>) => {
  const { chosen, onChange, clearLabel, isCompact = false } = props
  if (!chosen) return <Finder {...props} />
  return (
    <div
      className={cx(
        'flex items-center rounded-control border border-control bg-surface',
        isCompact ? 'h-[34px] gap-2 px-1 phone:h-11' : 'min-h-[58px] gap-3 p-1.5 pe-2.5',
      )}
    >
      <Entity thing={chosen} isCompact={isCompact} />
      <IconButton
        label={clearLabel}
        size="sm"
        className={cx(isCompact && '-my-1 h-6! w-6! phone:h-11!')}
        onClick={() => onChange(null)}
      >
        <X size={isCompact ? 14 : 16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}

const Entity = ({ thing, isCompact = false }: { thing: PickedEntity; isCompact?: boolean }) => (
  <>
    {thing.swatch === undefined ? (
      <PartPicture
        src={thing.picture}
        tint={thing.tint ?? null}
        className={isCompact ? 'size-6 phone:size-9' : 'size-11'}
      />
    ) : (
      <span className="grid size-9 shrink-0 place-items-center [&>i]:size-5">
        <ColorDot hex={thing.swatch} />
      </span>
    )}
    <span className="min-w-0 flex-1">
      <bdi className={cx('block truncate', !isCompact && 'font-medium')} title={thing.name}>
        {thing.name}
      </bdi>
      {thing.caption && !isCompact ? (
        <span className="block truncate text-caption text-ink-3">{thing.caption}</span>
      ) : null}
    </span>
  </>
)

function Finder<Thing extends PickedEntity>(props: EntityPickerProps<Thing>) {
  const {
    picker,
    onChange,
    isFound,
    nothingFound,
    findFirst,
    placeholder,
    listLabel,
    isFirst = false,
  } = props
  const { text, setText, search, isOpen, setIsOpen } = picker
  const field = useRef<HTMLInputElement>(null)
  const [active, setActive] = useState(0)
  const listId = useId()
  const groups = props.groups.filter(({ things }) => things.length > 0)
  const offered = isOpen ? groups.flatMap(({ things }) => things) : []
  const openList = () => setIsOpen(true)
  useListEscape(isOpen, () => setIsOpen(false))

  const choose = (thing: Thing) => {
    setText('')
    setIsOpen(false)
    onChange(thing)
  }
  const chooseFirst = async (sought: string) => {
    const found = await findFirst?.(sought)
    // In the meantime, the person may have typed other text, or chosen an entity, which removes the field.
    if (found && field.current?.value.trim() === sought) choose(found)
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      openList()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((now) => Math.max(0, Math.min(offered.length - 1, now + step)))
    } else if (event.key === 'Enter' && isOpen) {
      // Enter submits the surrounding form only while the list is closed.
      event.preventDefault()
      const chosen = offered[active]
      const isStale = search !== text.trim()
      if (findFirst && (isStale || !chosen)) void chooseFirst(text.trim())
      else if (chosen) choose(chosen)
    }
  }
  const option = (thing: Thing) => {
    const index = offered.indexOf(thing)
    return (
      <div
        key={thing.id}
        id={`${listId}-${index}`}
        role="option"
        aria-selected={index === active}
        // The choice is made on mouse down, because the field loses the focus before the click, and the list closes.
        onMouseDown={(event) => {
          event.preventDefault()
          choose(thing)
        }}
        onMouseMove={() => setActive(index)}
        className={cx(
          'flex cursor-pointer items-center gap-3 rounded-control p-1.5',
          index === active && 'bg-hover',
        )}
      >
        <Entity thing={thing} />
      </div>
    )
  }
  return (
    <div className="relative">
      <Input
        ref={field}
        {...comboboxProps(listId, offered, active)}
        value={text}
        maxLength={200}
        autoFocus={isFirst}
        placeholder={placeholder}
        icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          openList()
        }}
        {...(isFirst && { onFocus: openList })}
        onClick={openList}
        onBlur={() => setIsOpen(false)}
        onKeyDown={handleKey}
      />
      {/* The list covers the content below. If it pushed a button down instead, a click on the button would
          miss. */}
      <div
        id={listId}
        role="listbox"
        aria-label={listLabel}
        className={cx(FLOATING, offered.length === 0 && 'hidden')}
      >
        {offered.length === 0
          ? null
          : groups.map(({ name, things }) =>
              name ? (
                <div key={name} role="group" aria-label={name}>
                  <p className="px-2 pt-1.5 pb-1 text-caption text-ink-3" aria-hidden>
                    {name}
                  </p>
                  {things.map(option)}
                </div>
              ) : (
                things.map(option)
              ),
            )}
      </div>
      {isOpen && isFound && offered.length === 0 ? (
        <p role="status" className={cx(FLOATING, 'px-3! py-2! text-label text-ink-2')}>
          {nothingFound}
        </p>
      ) : null}
    </div>
  )
}
