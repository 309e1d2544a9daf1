# Before CPack packs: below /usr, packages' completions for zsh lie elsewhere in Debian than those of an administrator's own.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh)
file(MAKE_DIRECTORY ${share}/vendor-completions)
file(RENAME ${share}/site-functions/_assay ${share}/vendor-completions/_assay)
file(REMOVE_RECURSE ${share}/site-functions)
