import type { Column } from '../data-table.tsx'
import { Checkbox } from '../ui/forms/checkbox.tsx'
import type { Selection } from './use-selection.ts'
import { t } from '@/lib/i18n/messages.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

interface TickProps<Thing extends { id: string }> {
  thing: Thing
  name: string
  selection: Selection<Thing>
  /** The rows in the order of the list. A click with Shift selects all rows up to this one. */
  things?: readonly Thing[]
}

/**
 * Selects one row or card. The click area is larger than the box, so that a click just beside the box does
 * not open the row. The box is on top of the row's link, which comes later in the document.
 */
export const Tick = <Thing extends { id: string }>({
  thing,
  name,
  selection,
  things = [],
}: TickProps<Thing>) => (
  <Checkbox
    label={t('Select {name}', { name })}
    isLabelHidden
    checked={selection.things.has(thing.id)}
    onChange={({ nativeEvent }) =>
      // A checkbox changes because of a click, and that click shows whether Shift was held.
      nativeEvent instanceof MouseEvent && nativeEvent.shiftKey && things.length > 0
        ? selection.extendTo(thing, things)
        : selection.toggle(thing)
    }
    className="relative z-1 -m-2 p-2"
  />
)

interface TickColumnOptions<Thing extends { id: string }> {
  selection: Selection<Thing>
  /** The loaded rows. The checkbox in the header selects or deselects all of them. */
  things: readonly Thing[]
  /** Noun for the rows: `order`. */
  one: Noun
  nameOf: (thing: Thing) => string
}

/** A column of boxes that select rows. */
export function tickColumn<Thing extends { id: string }>(options: TickColumnOptions<Thing>): Column<Thing> {
  const { selection, things, one, nameOf } = options
  const ticked = things.filter(({ id }) => selection.things.has(id)).length
  return {
    id: 'tick',
    head: (
      <Checkbox
        label={t('Select all listed {many}', { many: NOUNS[one].many })}
        isLabelHidden
        checked={ticked > 0 && ticked === things.length}
        isMixed={ticked > 0 && ticked < things.length}
        onChange={() => selection.toggleAll(things)}
        className="-m-2 p-2"
      />
    ),
    track: '16px',
    cell: (thing, _index, rows) => (
      <Tick thing={thing} name={nameOf(thing)} selection={selection} things={rows} />
    ),
  }
}
