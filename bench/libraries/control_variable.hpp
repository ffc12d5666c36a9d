// SPDX-License-Identifier: MIT
// An integer (or text) control variable of the MPI library, by name. MPI_T must be initialised.
#pragma once

#include <mpi.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace bench {

class ControlVariable {
  public:
    explicit ControlVariable(const std::string& name) : name_(name) {
        int index = 0;
        if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS ||
            MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count_) != MPI_SUCCESS) {
            throw std::runtime_error("the MPI library has no control variable " + name);
        }
    }
    ~ControlVariable() {
        if (handle_ != MPI_T_CVAR_HANDLE_NULL) {
            MPI_T_cvar_handle_free(&handle_);
        }
    }
    ControlVariable(ControlVariable&& other) noexcept
        : name_(std::move(other.name_)),
          handle_(std::exchange(other.handle_, MPI_T_CVAR_HANDLE_NULL)),
          count_(other.count_) {}
    ControlVariable& operator=(ControlVariable&&) = delete;

    static bool exists(const std::string& name) {
        int index = 0;
        return MPI_T_cvar_get_index(name.c_str(), &index) == MPI_SUCCESS;
    }

    // May be written while the job runs
    bool is_writable() const {
        const int scope = info().scope;
        return scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY;
    }

    bool is_number() const { return count_ == 1 && info().type == MPI_INT; }

    // The names of its values, if the library has them
    std::map<std::string, int> names_of_values() const {
        const MPI_T_enum names = info().names;
        std::map<std::string, int> values;
        int count = 0;
        int length = 0;
        if (names != MPI_T_ENUM_NULL) {
            check(MPI_T_enum_get_info(names, &count, nullptr, &length));
        }
        for (int i = 0; i < count; ++i) {
            char name[256] = "";
            int value = 0;
            length = sizeof name;
            check(MPI_T_enum_get_item(names, i, &value, name, &length));
            values[name] = value;
        }
        return values;
    }

    std::string description() const {
        std::string text(static_cast<std::size_t>(info().description_length), '\0');
        info(&text);
        return text.c_str();
    }

    int read() const {
        int value = 0;
        check(MPI_T_cvar_read(handle_, &value));
        return value;
    }
    std::string read_text() const {
        std::string text(static_cast<std::size_t>(count_) + 1, '\0');
        check(MPI_T_cvar_read(handle_, text.data()));
        return text.c_str();
    }
    void write(int value) const { check(MPI_T_cvar_write(handle_, &value)); }

  private:
    struct Info {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum names = MPI_T_ENUM_NULL;
        int scope = 0;
        int description_length = 0;
    };
    // A description is written as far as there is room
    Info info(std::string* description = nullptr) const {
        Info result;
        int index = 0;
        int name_length = 0;
        int ignored = 0;
        result.description_length = description == nullptr ? 0 : static_cast<int>(description->size());
        check(MPI_T_cvar_get_index(name_.c_str(), &index));
        check(MPI_T_cvar_get_info(index, nullptr, &name_length, &ignored, &result.type, &result.names,
                                  description == nullptr ? nullptr : description->data(),
                                  &result.description_length, &ignored, &result.scope));
        return result;
    }

    void check(int code) const {
        if (code != MPI_SUCCESS) {
            throw std::runtime_error("access to control variable " + name_ + " failed with MPI_T error " +
                                     std::to_string(code));
        }
    }

    std::string name_;
    MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
    int count_ = 0;  // of values; of a text, its length
};

}  // namespace bench
