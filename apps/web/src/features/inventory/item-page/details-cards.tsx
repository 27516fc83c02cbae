import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { Link } from 'react-router'
import { DateProperties, Property, PropertyList } from '@/components/property-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { formatCount, formatMoney, formatPieceGrams } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

interface FactsCardsProps {
  item: InventoryItem
  modelAddress: (id: string) => string
}

/** Shows the details of an item. Empty details are left out. */
export const DetailsCards = ({ item, modelAddress }: FactsCardsProps) => (
  <>
    <Card title={t('Item')}>
      <PropertyList>
        <Property name={t('SKU')}>
          <span className="code">{item.sku}</span>
        </Property>
        <Property name={t('Label')}>
          <span className="code">{item.label_code}</span>
        </Property>
        {item.selling_price ? (
          <Property name={t('Selling price')}>{formatMoney(item.selling_price)}</Property>
        ) : null}
        {item.location ? (
          <Property name={t('Location')}>
            <bdi>{item.location}</bdi>
          </Property>
        ) : null}
        {item.bin_location ? (
          <Property name={t('Bin location')}>
            <bdi>{item.bin_location}</bdi>
          </Property>
        ) : null}
        <DateProperties created={t('Added')} of={item} />
      </PropertyList>
    </Card>
    <Card title={t('Printing')}>
      <PropertyList>
        {item.stl_file_id ? (
          <Property name={t('Source STL')}>
            <Link to={modelAddress(item.stl_file_id)} className="link">
              <bdi>{item.stl_file_title}</bdi>
            </Link>
          </Property>
        ) : (
          <Property name={t('Source STL')}>
            <span className="font-normal text-ink-3">{t('No source model')}</span>
          </Property>
        )}
        {item.material_used ? (
          <Property name={t('Material used')}>
            <bdi>{item.material_used}</bdi>
          </Property>
        ) : null}
        {item.color || item.color_hex ? (
          <Property name={t('Color')}>
            <span className="inline-flex items-center gap-1.5">
              <ColorDot hex={item.color_hex} />
              <bdi>{item.color ?? item.color_hex}</bdi>
            </span>
          </Property>
        ) : null}
        {item.print_time_minutes === null ? null : (
          <Property name={t('Print time')} unit={t('min')}>
            {formatCount(item.print_time_minutes)}
          </Property>
        )}
        <Property name={t('Pieces per print')}>{formatCount(item.pieces_per_print)}</Property>
        {item.weight_grams === null ? null : (
          <Property name={t('Weight of a piece')}>{formatPieceGrams(item.weight_grams)}</Property>
        )}
      </PropertyList>
      {item.print_settings ? <Prose text={item.print_settings} /> : null}
    </Card>
    {item.notes ? (
      <Card title={t('Notes')}>
        <Prose text={item.notes} />
      </Card>
    ) : null}
  </>
)

const Prose = ({ text }: { text: string }) => (
  <p
    className="max-h-80 overflow-y-auto border-line px-4 py-3 text-start whitespace-pre-line text-ink-2 wrap-anywhere [dl+&]:border-t"
    dir="auto"
  >
    {text}
  </p>
)
