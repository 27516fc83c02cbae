-- Owned by module auth: the session in which a security key was enrolled. The key can be registered only in this
-- session. Null for recovery codes, and for factors from before this column. The session may have ended.
alter table factors add column enrolled_in uuid;
