-- Owned by module print-queue: the certificate that a printer showed first, as SHA-256. Null for printers without
-- encryption of their own, and until the first connection.
alter table printers
  add column certificate_sha256 text constraint printers_certificate check (certificate_sha256 ~ '^([0-9A-F]{2}:){31}[0-9A-F]{2}$');
