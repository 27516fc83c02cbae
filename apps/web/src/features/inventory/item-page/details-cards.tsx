import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { Link } from 'react-router'
import { Fact, FactList } from '@/components/fact-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { formatCount, formatDateTime, formatGrams, formatMoney } from '@/lib/format/format.ts'

interface FactsCardsProps {
  item: InventoryItem
  modelAddress: (id: string) => string
}

/** The details of an item. Empty ones are left out. */
export const DetailsCards = ({ item, modelAddress }: FactsCardsProps) => (
  <>
    <Card title="Item">
      <FactList>
        <Fact name="SKU">
          <span className="code">{item.sku}</span>
        </Fact>
        <Fact name="Label">
          <span className="code">{item.label_code}</span>
        </Fact>
        {item.selling_price ? <Fact name="Selling price">{formatMoney(item.selling_price)}</Fact> : null}
        {item.location ? (
          <Fact name="Location">
            <bdi>{item.location}</bdi>
          </Fact>
        ) : null}
        {item.bin_location ? (
          <Fact name="Bin location">
            <bdi>{item.bin_location}</bdi>
          </Fact>
        ) : null}
        <Fact name="Added">
          <time dateTime={item.created_at}>{formatDateTime(item.created_at)}</time>
        </Fact>
        {item.updated_at === item.created_at ? null : (
          <Fact name="Changed">
            <time dateTime={item.updated_at}>{formatDateTime(item.updated_at)}</time>
          </Fact>
        )}
      </FactList>
    </Card>
    <Card title="Printing">
      <FactList>
        {item.stl_file_id ? (
          <Fact name="Source STL">
            <Link to={modelAddress(item.stl_file_id)} className="link">
              <bdi>{item.stl_file_title}</bdi>
            </Link>
          </Fact>
        ) : (
          <Fact name="Source STL">
            <span className="font-normal text-ink-3">No source model</span>
          </Fact>
        )}
        {item.material_used ? (
          <Fact name="Material used">
            <bdi>{item.material_used}</bdi>
          </Fact>
        ) : null}
        {item.color || item.color_hex ? (
          <Fact name="Color">
            <span className="inline-flex items-center gap-1.5">
              <ColorDot hex={item.color_hex} />
              <bdi>{item.color ?? item.color_hex}</bdi>
            </span>
          </Fact>
        ) : null}
        {item.print_time_minutes === null ? null : (
          <Fact name="Print time" unit="min">
            {formatCount(item.print_time_minutes)}
          </Fact>
        )}
        <Fact name="Pieces per print">{formatCount(item.pieces_per_print)}</Fact>
        {item.weight_grams === null ? null : (
          <Fact name="Weight of a piece">{formatGrams(item.weight_grams)}</Fact>
        )}
      </FactList>
      {item.print_settings ? <Prose text={item.print_settings} /> : null}
    </Card>
    {item.notes ? (
      <Card title="Notes">
        <Prose text={item.notes} />
      </Card>
    ) : null}
  </>
)

const Prose = ({ text }: { text: string }) => (
  <p
    className="max-h-80 overflow-y-auto border-line px-4 py-3 text-left whitespace-pre-line text-ink-2 wrap-anywhere [dl+&]:border-t"
    dir="auto"
  >
    {text}
  </p>
)
