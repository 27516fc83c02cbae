import sharp from 'sharp'
import type { SimulatedPrinter } from './printer.ts'
import type { PrinterReply } from './wire.ts'

const WIDTH_PX = 480
const HEIGHT_PX = 360
const BED_Y = 270
/** The height of a finished part in the picture. */
const PART_PX = 130

/** Responds with a picture as a camera inside the printer could send it: the bed, the part so far and the nozzle. */
export async function answerCamera(printer: SimulatedPrinter): Promise<PrinterReply> {
  const { shown } = printer
  const height = shown ? Math.round(PART_PX * printer.progressOf(shown)) : 0
  const top = BED_Y - height
  const nozzleY = printer.running ? top : BED_Y - PART_PX - 60
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">
    <rect width="100%" height="100%" fill="#1d2124"/>
    <rect x="24" y="20" width="432" height="220" fill="#2a2f33"/>
    <path d="M90 ${BED_Y - 40}H390L440 ${BED_Y + 50}H40Z" fill="#3b4247"/>
    <path d="M190 ${top}H310V${BED_Y}H190Z" fill="#d98236"/>
    <path d="M190 ${top}L214 ${top - 18}H334L310 ${top}Z" fill="${height > 0 ? '#eba566' : 'none'}"/>
    <path d="M310 ${top}L334 ${top - 18}V${BED_Y - 18}L310 ${BED_Y}Z" fill="${height > 0 ? '#a85f20' : 'none'}"/>
    <path d="M238 ${nozzleY - 46}H286V${nozzleY - 22}L266 ${nozzleY - 8}H258L238 ${nozzleY - 22}Z" fill="#9aa3a9"/>
    <rect x="24" y="${nozzleY - 60}" width="432" height="14" fill="#6a7379"/>
  </svg>`
  const body = await sharp(Buffer.from(picture)).png().toBuffer()
  return { status: 200, headers: { 'content-type': 'image/png' }, body }
}
