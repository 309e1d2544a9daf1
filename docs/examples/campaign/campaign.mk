# What dvsim asks of a flow: `build` and `run`, each with the commands of the configuration.
build:
	mkdir -p $(build_dir)
	$(foreach command,$(pre_build_cmds),$(command) &&) true
	$(build_cmd) $(build_opts)

run:
	mkdir -p $(run_dir)
	$(run_cmd) $(run_opts)
	$(post_run_cmds)

.PHONY: build run
