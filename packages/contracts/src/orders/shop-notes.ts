/** The notes about pieces that the staff of the shop have sent themselves begin with these words. */
export const SENT_NOTE = 'The shop sent pieces'
export const UNKNOWN_SENT_NOTE = `${SENT_NOTE} whose SKU is unknown here`

/** The note about pieces that the shop took back although they were shipped here begins with these words. */
export const WITHDRAWN_NOTE = 'The shop took back pieces that were shipped here'

/**
 * Texts that the page of an order shows if the order differs in the shop. Each needs a translation in the catalogs of
 * the server's texts. `pieces` is a list such as `2 of Dragon, 1 of Egg`.
 */
export const SHOP_NOTES = {
  changedPrices: (pieces: string) =>
    `The shop has changed the price of pieces that were shipped: ${pieces}. The order keeps the price at which they were shipped.`,
  refunded: (pieces: string) =>
    `The shop has refunded pieces that were shipped: ${pieces}. Book the return when they come back.`,
  sentWithoutStock: (pieces: string) =>
    `${SENT_NOTE} that were not in stock here: ${pieces}. They count as shipped, and the stock stays as it is.`,
  sentUnknown: (pieces: string) =>
    `${UNKNOWN_SENT_NOTE}: ${pieces}. Do not send them again. They count as shipped once the SKU is mapped.`,
  withdrawn: (pieces: string) =>
    `${WITHDRAWN_NOTE}: ${pieces}. If they have not left, undo their shipment here. Otherwise, mark them as sent in the shop.`,
  takenBack: (parcel: string) =>
    `The shop was told of parcel ${parcel}, which was undone here, and still shows its pieces as sent. Ship them again, or change the order in the shop.`,
  partlyTakenBack: (parcel: string) =>
    `The shop was told of a part of parcel ${parcel}, which was undone here, and still shows that part as sent. Ship the pieces again, or change the order in the shop.`,
  notCompleted: (reason: string) => `The shop does not show this order as completed yet: ${reason}`,
  notCancelled: () =>
    'This order was cancelled here, but not in the shop, which still shows it and its reported parcels. Cancel it there as well.',
  openHere: () =>
    'The shop shows this order as completed, but it is open here and pieces are left to ship. Ship them, or complete the order.',
  piecesLeft: () =>
    'The shop shows this order as completed, but a shipment was undone here and pieces are left to ship. Ship them, or complete the order.',
} as const satisfies Record<string, (value: string) => string>
