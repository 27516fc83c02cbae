-- Owned by module print-queue: SHA-256 of the first certificate that a printer presented. Null until the first
-- connection, and for printers without their own encryption.
alter table printers
  add column certificate_sha256 text constraint printers_certificate check (certificate_sha256 ~ '^([0-9A-F]{2}:){31}[0-9A-F]{2}$');
